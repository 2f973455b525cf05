import type { Row } from "../table.ts";

/** English: how a part of a sentence is meant, and what joins parts. */
export const MOODS: readonly Row[] = [
  // Turning to the agent
  {
    tag: "filler",
    words:
      "please|pls|plz|kindly|first|ok|okay|k|now|also|just|next|finally|lastly|hey|hi|hello|thanks|thank you|thx|great|good|nice|perfect|cool|alright|all right|right|well|anyway|actually|maybe|perhaps|quickly|immediately|right away|simply|oh|ah|btw|by the way|fyi|good morning|good evening|good afternoon|hi there|hey there|hello there|in addition|additionally|besides|asap|if possible|if you can|if you could|when you can|when you get a chance|when you have time|for me|for us|once you're done|once done|when done|when you're done|when finished|after that|afterwards|afterward|later|today|tonight|tomorrow|tomorrow morning|this afternoon|this evening|this morning|this week|real quick|real quickly|looks good|sounds good|that works|yes|yep|yeah|yup|sure|go on|carefully|automatically|hermes|assistant|claude|agent|dear assistant|to be clear|for now|at least|basically|obviously|meanwhile|in the meantime|of course|ideally|separately|silently|gently|early|soon|still|only then|ps|p.s|hmm|um|sorry|ok so|so|even better|better yet|one more thing|last thing|another thing|two things|first things first|it can't wait|this can't wait|that can't wait|it cannot wait|on reflection|on second thought|on second thoughts|come to think of it|thinking about it|no need to ask|no need to check|no need to check with me|no need to confirm|no need to wait|no need to wait for me|quick question|quick one|small favour|small favor|heads up|secondly|thirdly|not a problem|not urgent|no hurry|no rush|no problem|no worries|no need to hurry|not only that|no idea why|without further ado|no stress|no pressure|no big deal|never mind|no offense|not to worry|of course not",
  },
  {
    tag: "ask",
    words:
      "i meant|it's fine to|it's ok to|it's okay to|it is fine to|it is ok to|it is okay to|you're welcome to|you are welcome to|can you|could you|would you|will you|can u|could u|would u|can you please|could you please|would you please|will you please|could you maybe|could you also|can you also|could you possibly|could you kindly|would you kindly|can you just|could you just|are you able to|would you be able to|will you be able to|i want you to|i need you to|we need you to|we want you to|i'd like you to|i would like you to|we'd like you to|i'd love you to|i'd love it if you could|i'd love for you to|i'd like for you to|i'd want you to|you should|you must|you need to|you have to|you'll need to|you will need to|you'll have to|you're to|you are to|you ought to|you can|you may|you could|you might|you can also|you may also|you can now|you may now|you can just|feel free to|please feel free to|you're free to|you are free to|you're welcome to|you are welcome to|you're allowed to|you are allowed to|you're permitted to|go ahead and|please go ahead and|go and|go|come and|make sure to|make sure you|make sure that you|please make sure to|be sure to|be sure you|be sure that you|see that you|ensure you|ensure that you|do|remember to|please remember to|try to|try and|help me|help me to|help us|help us to|help|let's|lets|let us|your task is to|your job is to|your mission is to|your goal is to|the task is to|the goal is to|the job is to|goal|task is to|i want to have you|it would be great if you could|it'd be great if you could|it would be great if you|it would be nice if you could|it would be good if you could|would be great if you could|would be nice if you could|i'd appreciate it if you could|i would appreciate it if you could|i'd appreciate if you could|i'd be grateful if you could|i was hoping you could|i was wondering if you could|wondering if you could|is it possible for you to|any chance you could|any chance you can|do you think you could|i'd rather you|i would rather you|i'd prefer you to|i would prefer you to|i'd prefer it if you|i'm asking you to|i am asking you to|i authorize you to|i authorise you to|i allow you to|i permit you to|you have my permission to|you have permission to|you have my ok to|you have my okay to|permission to|i give you permission to|i hereby authorize you to|proceed to|proceed and|need you to|want you to|like you to|by all means|would it be possible for you to|start off and|first of all|you'd better|you had better|it is your job to|it's your job to|please be so kind as to|be so kind as to|be a dear and|do me a favor and|do me a favour and|get on with it and|remember that you have to|you get to|use the time to|let a subagent|let one subagent|let subagents|let the subagent|let your subagent|have a subagent|have one subagent|have the subagent|have subagents|use a subagent to|use subagents to|spawn a subagent to|spawn a subagent that can|get a subagent to|tell a subagent to|tell the subagent to|ask a subagent to|let the agent|use your tools to|use the browser to|use slack to|use gmail to|use git to|use github to|use the terminal to|use the shell to|use curl to|use the api to|you first have to|you first need to|you will first have to|you have to first|first you have to|first you need to|you first must|you'll first have to|you just|you only|you simply|you please|you then|you now",
  },
  {
    tag: "ask",
    value: "g",
    words:
      "would you mind|do you mind|mind|how about|what about|start by|begin by|end by|finish by|start|begin|finish|i'd appreciate you|consider|try|go ahead with|proceed with|continue|keep|i'm fine with you|i am fine with you|i'm ok with you|i'm okay with you|no objection to you|no objections to",
  },
  {
    tag: "idiom",
    words:
      "make sure you don't forget to|make sure not to forget to|be sure not to forget to|make sure you do not forget to|you must not forget to|don't you forget to|don't forget to|do not forget to|dont forget to|never forget to|please don't forget to|don't hesitate to|do not hesitate to|dont hesitate to|don't be afraid to|do not be afraid to|don't be shy to|don't be shy and|don't fail to|do not fail to|don't wait to|don't delay to|why don't you|why dont you|why not|why don't we|can't you|couldn't you|won't you|wouldn't you|could you not just|no problem to|no reason not to|don't just read but|don't only read but|don't neglect to|don't omit to|no harm in you",
  },
  {
    tag: "idiom",
    value: "g",
    words:
      "don't hold back on|don't hold back from|don't worry about|don't put off|don't stop|don't delay|no harm in|i don't mind you|i don't mind",
  },
  {
    tag: "weak",
    words:
      "i want to|i need to|i have to|i must|i should|i'd like to|i would like to|i'd love to|i wanna|i gotta|i've got to|i ought to|i wish to|i'm trying to|i am trying to|we need to|we have to|we should|we must|we want to|we'd like to|we would like to|we've got to|we ought to|time to|it's time to|it is time to|need to|have to|gotta|want to|would like to|must|needs must|i still need to|i still have to|i also need to|i also want to|i really need to|i really want to|is it possible to|would it be possible to|is there a way to|is there any way to|i'm ready to|i am ready to|we're ready to|we are ready to|i was going to|i'm about to|i could use someone to",
  },
  {
    tag: "weak",
    value: "g",
    words: "i'm thinking of|i am thinking of|i'm thinking about|i feel like|we're thinking of",
  },

  // Asking to know
  {
    tag: "inform",
    words:
      "how|how to|how do i|how do you|how do we|how can i|how can we|how would i|how would you|how should i|how should we|how does|how did|how is|how are|how much|how many|how long|how often|how come|why|why is|why are|why do|why does|why did|what|what's|whats|what is|what are|what if|what happens|what would happen|which|who|who's|whose|whom|where|where's|is|are|was|were|does|did|is it|is there|are there|are we|are they|is that|do i|do we|do they|do you|do you know|do you think|does it|did you|did we|did i|did they|have you|have we|have they|has|has it|has the|had|should i|should we|should they|should it|should the|should this|should that|shall i|shall we|can i|can we|can they|can it|can the|can this|can anyone|could i|could we|could it|could the|could this|could that|may i|may we|might i|would it|would that|would this|would they|would i|would we|will it|will they|will the|will this|will that|will i|will we|must i|am i|am i supposed to|is it ok to|is it okay to|is it safe to|is it wise to|is it worth|is it smart to|is it necessary to|is it a good idea to|would it be ok to|would it be okay to|would you recommend|would you suggest|would you advise|would you say|would you ever|do you recommend|do you suggest|explain|explain how|explain why|explain what|describe|describe how|elaborate|clarify|define|tell me how|tell me why|tell me what|tell me whether|tell me if|tell me which|tell me who|tell me where|tell me when|tell me about|tell us how|tell us what|show me how|show us how|teach me|teach me how|walk me through|talk me through|guide me through|help me understand|help me decide|help me figure out|help me think about|help me choose|help me find out|list the commands|list commands|list all commands|what's the command to|what command|give me the command|give me the commands|give me instructions|give me the steps|give me an example|show me an example|show the commands|advise|advise me|recommend|suggest|suggest how|your opinion|in your opinion|any idea|any ideas|any tips|any advice|pros and cons|the difference between|curious|i'm curious|just curious|i wonder|i'm wondering|i was wondering|wondering|what do you think|thoughts on|thoughts|i'd like to know|i would like to know|i want to know|i need to know|i'd like to understand|i want to understand|i want to learn|i'd like to learn|i don't know whether|i don't know if|i'm not sure whether|i'm not sure if|whether|the meaning of|what does|when is|when are|when do|when does|when did|when was|when will|when should|when can|when exactly|not sure|not sure why|not sure what|not sure how|not certain|not sure yet",
  },

  // What something depends on
  {
    tag: "if",
    words:
      "if|when|whenever|as soon as|in case|in the event|provided|provided that|assuming|assuming that|given that|as long as|so long as|even if|even though|although|though|while|whilst|whereas|now that|should you|were you to|in order to|so that|so as to|depending on|in which case|suppose|supposing|imagine|say i|hypothetically|in theory|the moment|every time|each time|wherever|where needed|as needed|if needed|if necessary|when needed|where necessary|as necessary|if you need|if you want|if you like|whatever|however",
  },
  {
    tag: "until",
    words: "until|till|til|unless|before|prior to|ahead of|without first|pending|subject to",
  },
  {
    tag: "after",
    words: "after|once|only after|only once|only when|only if|only with|not until|no sooner than|following",
  },
  {
    tag: "because",
    words:
      "because|since|as i|as we|as it|due to|thanks to|otherwise|or else|so it|so they|so he|so she|so i|so we|cause|cuz|given",
  },
  {
    tag: "relative",
    words:
      "that|which|who|whom|whose|where|what|whatever|whoever|how|why|whether|saying|stating|asking|telling|letting|explaining|mentioning|noting|reading|that says|which says",
  },
  {
    tag: "subject",
    words:
      "i|i'm|i've|i'd|im|ive|he|he's|she|she's|they|they're|they've|they'd|it's|its|we|we're|we've|we'd|there|there's|here|here's|somebody|someone|anybody|anyone|everybody|people|that's|one|you're|you've|you'd|you",
  },
  { tag: "subject", value: "it", words: "it|this|that|these|those" },
  {
    tag: "modal",
    words:
      "will|would|shall|should|can|could|may|might|must|has to|have to|had to|needs to|need to|ought to|is to|are to|is going to|are going to|i'll|he'll|she'll|they'll|we'll|it'll|gets to|get to|wants to|want to|wanted to|tries to|tried to|used to|likes to|plans to|going to|supposed to|able to|asked to|told to|want|wants|wanted|asked|told|tells|asks|let",
  },
  {
    tag: "modal",
    value: "oblige",
    words:
      "has to|have to|needs to|need to|must|should|ought to|is to|are to|shall|has got to|have got to|needs|need|is supposed to|are supposed to|had better|is meant to|are meant to|wants|deserves to",
  },
  {
    tag: "modal",
    value: "may",
    words: "may|can|could|might|is allowed to|are allowed to|is free to|are free to|is ok to|is fine to",
  },
  { tag: "be", words: "be|get|been|being|is|are|was|were|am|gets|got|is being|are being|'s" },

  {
    tag: "verb",
    value: "egress",
    form: "i",
    words:
      "leave my machine|leave this machine|leave the machine|leave my computer|leave this computer|leave my laptop|leave this laptop|leave the laptop|leave the house|leave the company|leave my account|leave this chat|leave this device|leave our network|leave the network|leave here|leave|go out|go online|go public|go anywhere|get out|leak",
  },
  {
    tag: "verb",
    value: "egress",
    form: "s",
    words:
      "leaves my machine|leaves this machine|leaves the machine|leaves this computer|leaves my laptop|leaves the house|leaves the company|leaves|goes out|goes online|goes public|goes anywhere|gets out|leaks",
  },

  // Joining
  { tag: "and", words: "and|&|plus|and also|as well as|and then|along with" },
  { tag: "or", words: "or|nor|or even|and/or" },
  { tag: "but", words: "but|but please|however|yet|though|but just|instead|except that|only" },
  {
    tag: "then",
    words: "then|and then|so then|after which|afterwards|after that|next|followed by|finally",
  },
  { tag: "to", words: "to|into|onto|unto|towards|toward|at|over to" },
  {
    tag: "in",
    words:
      "in|inside|within|under|underneath|below|on|on top of|beneath|in the folder|in folder|in the directory|in directory|throughout|across",
  },
  { tag: "from", words: "from|by|of|out of|off|via|through|since|sent by|written by|against" },
  { tag: "with", words: "with|w/|among|amongst|between" },
  {
    tag: "as",
    words:
      "as|called|named|titled|under the name|with the name|by the name of|known as|entitled|labelled|labeled",
  },
  {
    tag: "called",
    words:
      "called|named|titled|entitled|by the name of|labelled|labeled|with the title|with title|with the name|with subject|with the subject",
  },
  { tag: "for", words: "for|on behalf of|instead" },
  {
    tag: "about",
    words:
      "about|regarding|concerning|re|on the topic of|on the subject of|in reference to|with subject|with the subject|with the text|with the message|with the words|based on|according to|per|containing|including|using",
  },
  {
    tag: "det",
    words:
      "the|a|an|my|your|our|his|her|their|its|this|that|these|those|some|any|every|each|all|both|another|other|such|latest|last|new|old|all of|all the|any of|one of|copies of|a copy of|the following|following|same",
  },
  {
    tag: "person",
    words:
      "me|us|him|her|them|everyone|everybody|people|team|the team|boss|manager|colleague|colleagues|friend|friends|mom|dad|wife|husband|customer|client|sisters|brothers|sister|brother|parents|landlord|family|staff|group|folks|guys|person|someone|somebody",
  },
  {
    tag: "say",
    words:
      "say|saying|tell|telling|mention|mentioning|include|including|attach|attaching|ask|asking|thank|thanking|let|letting|explain|explaining|add that|note|noting|state|stating|apologize|apologise|wish|cc|bcc",
  },
  { tag: "number", value: "1", words: "one|once|single|a single|just one|only one|exactly one" },
  { tag: "number", value: "2", words: "two|a couple of|a pair of|both|double|twice|both of" },
  { tag: "number", value: "3", words: "three|triple|thrice|three times" },
  { tag: "number", value: "4", words: "four|four times" },
  { tag: "number", value: "5", words: "five" },
  { tag: "number", value: "6", words: "six|half a dozen" },
  { tag: "number", value: "7", words: "seven" },
  { tag: "number", value: "8", words: "eight" },
  { tag: "number", value: "9", words: "nine" },
  { tag: "number", value: "10", words: "ten" },
  { tag: "number", value: "12", words: "twelve|a dozen" },
  {
    tag: "each",
    words:
      "each|every|all|all the|all of the|all of|any|several|various|multiple|many|some|both|one for each|one per|for every|for each|per|everything|a few|a bunch of|whichever|as many|separately|individually",
  },
  {
    tag: "again",
    words:
      "again|once more|one more time|another time|same channel|the same channel|same person|the same person|same people|same address|the same address|same place|same recipient|as well|too|also|same thread|there|same one|the same one",
  },
  { tag: "currency", value: "USD", words: "usd|dollar|dollars|bucks|us dollars|buck" },
  { tag: "currency", value: "EUR", words: "eur|euro|euros" },
  { tag: "currency", value: "GBP", words: "gbp|pound|pounds|quid|pounds sterling" },
  { tag: "currency", value: "CHF", words: "chf|franc|francs|swiss francs" },
  { tag: "currency", value: "CNY", words: "cny|rmb|yuan" },
  { tag: "currency", value: "JPY", words: "jpy|yen" },
  { tag: "currency", value: "INR", words: "inr|rupees|rupee" },
  { tag: "currency", value: "CAD", words: "cad" },
  { tag: "currency", value: "AUD", words: "aud" },
  {
    tag: "ceiling",
    words:
      "up to|no more than|not more than|at most|maximum|max|maximum of|a maximum of|max of|under|below|less than|not over|not exceeding|not to exceed|within|capped at|with a cap of|with a limit of|limit|limit of|budget of|a budget of|budget|cheaper than|no higher than|not above|never more than|ceiling of|or less|or cheaper|tops|don't spend more than|do not spend more than|never spend more than|don't pay more than|do not pay more than|don't go over|do not go over|don't exceed|do not exceed|must not cost more than|shouldn't cost more than|should not cost more than|may not cost more than|must not exceed|may not exceed|mustn't exceed|without exceeding|without going over|without spending more than|spend at most|spend no more than|spend up to|price limit|spending limit|hard limit|not a cent more than|cap of|if it's under|if it is under|if it costs less than|as long as it's under|provided it's under",
  },
  { tag: "floor", words: "at least|minimum|more than|over|above" },
  {
    tag: "regularly",
    words:
      "every day|every morning|every evening|every night|every hour|every week|every month|every monday|every tuesday|every wednesday|every thursday|every friday|every saturday|every sunday|every weekday|every weekend|every year|every quarter|each day|each morning|each evening|each night|each week|each month|each monday|each tuesday|each wednesday|each thursday|each friday|each saturday|each sunday|each hour|every other day|every other week|once a day|once a week|once a month|twice a day|twice a week|every afternoon|from now on|on weekdays|on weekends|every minute|every few hours|on a schedule|recurringly|regularly|periodically|every two weeks|every two hours|every 5 minutes|every 10 minutes|every 15 minutes|every 30 minutes|every half hour",
  },

  {
    tag: "regularly",
    value: "adverb",
    words:
      "daily|weekly|hourly|monthly|yearly|nightly|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays",
  },
];
