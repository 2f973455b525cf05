import type { WordTable } from "./table.ts";

/** English. Verbs are given by their base form; the other forms are made. */
export const EN: WordTable = {
  language: "en",
  grammar: { verbLast: false, negationAfter: false },
  marks:
    "the a an is are was were this that these those and or of to for with please my your me you it i we they have has do does don't not no any what which who how why from in on at by can could would should will if when then",
  rows: [
    // Turning to the agent
    {
      tag: "filler",
      words:
        "please|pls|plz|kindly|ok|okay|k|now|also|just|next|finally|lastly|hey|hi|hello|thanks|thank you|thx|great|good|nice|perfect|cool|alright|all right|right|well|anyway|actually|maybe|perhaps|quickly|immediately|right away|simply|oh|ah|btw|by the way|fyi|good morning|good evening|good afternoon|hi there|hey there|hello there|in addition|additionally|besides|asap|if possible|if you can|if you could|when you can|when you get a chance|when you have time|for me|for us|once you're done|once done|when done|when you're done|when finished|after that|afterwards|afterward|later|today|tonight|tomorrow|tomorrow morning|this afternoon|this evening|this morning|this week|real quick|real quickly|looks good|sounds good|that works|yes|yep|yeah|yup|sure|go on|carefully|automatically|hermes|assistant|claude|agent|dear assistant|to be clear|for now|at least|basically|obviously|meanwhile|in the meantime|of course|ideally|separately|silently|gently|early|soon|still|only then|ps|p.s|hmm|um|sorry|ok so|so|even better|better yet|one more thing|last thing|another thing|two things|first things first|quick question|quick one|small favour|small favor|heads up|secondly|thirdly|not a problem|not urgent|no hurry|no rush|no problem|no worries|no need to hurry|not only that|no idea why|without further ado|no stress|no pressure|no big deal|never mind|no offense|not to worry|of course not",
    },
    {
      tag: "ask",
      words:
        "can you|could you|would you|will you|can u|could u|would u|can you please|could you please|would you please|will you please|could you maybe|could you also|can you also|could you possibly|could you kindly|would you kindly|can you just|could you just|are you able to|would you be able to|will you be able to|i want you to|i need you to|we need you to|we want you to|i'd like you to|i would like you to|we'd like you to|i'd love you to|i'd love it if you could|i'd love for you to|i'd like for you to|i'd want you to|you should|you must|you need to|you have to|you'll need to|you will need to|you'll have to|you're to|you are to|you ought to|you can|you may|you could|you might|you can also|you may also|you can now|you may now|you can just|feel free to|please feel free to|you're free to|you are free to|you're welcome to|you are welcome to|you're allowed to|you are allowed to|you're permitted to|go ahead and|please go ahead and|go and|go|come and|make sure to|make sure you|make sure that you|please make sure to|be sure to|be sure you|be sure that you|see that you|ensure you|ensure that you|do|remember to|please remember to|try to|try and|help me|help me to|help us|help us to|help|let's|lets|let us|your task is to|your job is to|your mission is to|your goal is to|the task is to|the goal is to|the job is to|goal|task is to|i want to have you|it would be great if you could|it'd be great if you could|it would be great if you|it would be nice if you could|it would be good if you could|would be great if you could|would be nice if you could|i'd appreciate it if you could|i would appreciate it if you could|i'd appreciate if you could|i'd be grateful if you could|i was hoping you could|i was wondering if you could|wondering if you could|is it possible for you to|any chance you could|any chance you can|do you think you could|i'm asking you to|i am asking you to|i authorize you to|i authorise you to|i allow you to|i permit you to|you have my permission to|you have permission to|you have my ok to|you have my okay to|permission to|i give you permission to|i hereby authorize you to|proceed to|proceed and|need you to|want you to|like you to|by all means|would it be possible for you to|start off and|first of all|you'd better|you had better|it is your job to|it's your job to|please be so kind as to|be so kind as to|be a dear and|do me a favor and|do me a favour and|get on with it and|remember that you have to|you get to|use the time to|let a subagent|let one subagent|let subagents|let the subagent|let your subagent|have a subagent|have one subagent|have the subagent|have subagents|use a subagent to|use subagents to|spawn a subagent to|spawn a subagent that can|get a subagent to|tell a subagent to|tell the subagent to|ask a subagent to|let the agent|use your tools to|use the browser to|use slack to|use gmail to|use git to|use github to|use the terminal to|use the shell to|use curl to|use the api to|you first have to|you first need to|you will first have to|you have to first|first you have to|first you need to|you first must|you'll first have to|you just|you only|you simply|you please|you then|you now",
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
        "don't forget to|do not forget to|dont forget to|never forget to|please don't forget to|don't hesitate to|do not hesitate to|dont hesitate to|don't be afraid to|do not be afraid to|don't be shy to|don't be shy and|don't fail to|do not fail to|don't wait to|don't delay to|why don't you|why dont you|why not|why don't we|can't you|couldn't you|won't you|wouldn't you|could you not just|no problem to|no reason not to|don't just read but|don't only read but|don't neglect to|don't omit to|no harm in you",
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

    // Forbidding
    {
      tag: "not",
      words:
        "don't|dont|do not|don t|do'nt|don;t|never|never ever|must not|mustn't|mustnt|must never|should not|shouldn't|shouldnt|should never|shall not|may not|may never|can not|cannot|can't|cant|could not|not|not to|ought not to|are not to|is not to|isn't to|aren't to|aren't allowed to|isn't allowed to|are not allowed to|is not allowed to|not allowed to|am not allowing you to|i don't want you to|i do not want you to|i don't want|i do not want|i don't want to|i do not want to|i'd rather not|i would rather not|i'd rather you didn't|i would rather you didn't|i'd prefer not to|i'd prefer you didn't|i would prefer not to|i'd prefer that you don't|i prefer not to|we don't want to|we don't want you to|we don't want|we'd rather not|let's not|lets not|let us not|under no circumstances|under no circumstance|at no point|at no time|on no account|in no case|by no means|in no way|no way should you|you don't need to|you do not need to|you needn't|no need to|there's no need to|there is no need to|not necessary to|it's not necessary to|you don't have to|you do not have to|don't you dare|do not ever|don't ever|don't even|do not under any circumstances|don't under any circumstances|please no|forbidden to|you're forbidden to|you are forbidden to|prohibited from|i forbid you to|i forbid|you must not|you mustn't|you must never|you should not|you shouldn't|you should never|you may not|you can't|you cannot|you can not|you're not allowed to|you are not allowed to|you're not to|you are not to|you aren't to|you aren't allowed to|you won't|you will not|you're not supposed to|you are not supposed to|better not|you'd better not|think twice before|neither|nor|isn't allowed|is not permitted to|not permitted to|you have no permission to|you do not have permission to|you don't have permission to|you have no authority to|without my permission never|needn't|make sure not to|be sure not to|be careful not to|take care not to|try not to|remember not to|make sure you don't|make sure that you don't|make sure you do not|make sure you never|ensure you don't|make sure we don't|please refrain and don't|won't|will not|what i don't want is|what i do not want is|what you should not do is|what you shouldn't do is|what you must not do is|the one thing you must not do is|the one thing you should not do is|the only thing you must not do is|what must not happen is|one thing you must not do is|what we don't want is",
    },
    {
      tag: "no",
      words: "no|zero|not a single|not one|not any|no more|no further|no new|no additional|not even|neither",
    },
    {
      tag: "nothing",
      words:
        "nothing|nobody|no one|none|none of it|none of them|none of this|none of these|none of the|no file|no files|no data|no part of it|not a thing|not one of them|no one else|nobody else|noone",
    },
    {
      tag: "without",
      words: "without|w/o|without ever|without actually|without even|rather than|instead of",
    },
    {
      tag: "avoid",
      words:
        "avoid|refrain from|abstain from|hold off|hold off on|hold off from|hold back on|hold back from|stop|cease|quit|halt|desist from|skip|forgo|forget about|leave out|put off|postpone|delay|keep from|keep yourself from|resist|no more|prohibited|forbidden|not allowed|don't bother|don't bother to|never mind|nevermind|ban on|wait with|wait on|pause on|pause before|scratch that and stop|i'm against|i am against|i object to|i don't authorize|i do not authorize|i don't approve|i do not approve|i don't allow|i do not allow|i don't permit|i do not permit|i won't allow|no permission for|no permission to|there will be no|there must be no|there should be no|there is to be no|make no|do no|take no|perform no|allow no|i want no|we want no|with no|strictly no|absolutely no",
    },
    { tag: "nothing", value: "object", words: "nothing|no one|nobody|none|none of them|none of it" },
    {
      tag: "any",
      words:
        "anything|anything at all|anyone|anyone at all|anybody|everything|everyone|everybody|any|any of it|any of them|any of these|any of those|any of this|all of it|all of them|all|it|them|this|that|these|those|one|so|something|stuff|things|thing|yet|at all|right now|for now|now|for the moment|for the time being|at this point|today|just yet|either|ever|myself|yourself|under any circumstances|whatsoever|on my behalf|for me|in my name|out|off|up|around|away|please|though|anywhere|elsewhere|already|without asking|on your own|by yourself|yourself|automatically|accidentally|ok|okay|thanks|further|else|more",
    },
    { tag: "only", words: "only|solely|exclusively|strictly|merely|nothing but|nothing other than|just" },
    {
      tag: "else",
      words:
        "nothing else|nobody else|no one else|noone else|anything else|anyone else|anybody else|nowhere else|no other|no others|none other|no other person|no other people|no other recipients|no other files|not others|not anyone else|not anything else|leave the rest|leave the rest alone|that's all|that is all|and that's it|that's it|leave everything else|leave all else|leave the others",
    },
    {
      tag: "except",
      words:
        "except|except for|except to|other than|apart from|aside from|besides|but not|excluding|save for|with the exception of|but only|but for|outside of|outside|beyond|anything but|everything but|all but",
    },
    { tag: "me", words: "me|us|my|mine" },
    { tag: "myself", words: "myself|ourselves|on my own|by hand|manually|personally" },
    {
      tag: "first",
      words: "first|beforehand|before|prior|in advance|up front|upfront|each time|every time|always",
    },
    {
      tag: "confirm",
      words:
        "ask me|ask us|ask|check with me|check with us|check in with me|check back with me|check back|confirm with me|confirm with us|confirm it with me|confirm|double check with me|double-check with me|verify with me|clear it with me|clear with me|clear everything with me|run it by me|run it past me|run everything by me|run everything past me|run them by me|run them past me|run by me|run past me|consult me|consult with me|get my|wait for my|wait for me|wait until i|wait till i|await my|need my|needs my|require my|requires my|ask for my|ask for|ask my|request my|let me see|let me check|let me review|let me look|let me read|let me approve|let me confirm|let me know|show me|show it to me|show them to me|show me everything|get back to me|come back to me|tell me|warn me|ping me|notify me|consult|with my|i want to see|i want to review|i want to approve|i want to check|i want to confirm|i need to see|i need to approve|i need to review|i need to confirm|i'd like to see|i'd like to approve|i'd like to review|i'd like to confirm|i have to approve|i have to confirm|i must approve|i must confirm|i will approve|i'll approve|i'll confirm|i'll review|i'll check|i get to approve|seek my|obtain my|have me approve|have me confirm|have me check|always ask|propose before|with me before|with me first|past me|by me|past me first|by me first|not without",
    },
    {
      tag: "consent",
      words:
        "my ok|my okay|my approval|my permission|my consent|my go-ahead|my go ahead|my confirmation|my say-so|my say so|my yes|my sign-off|my sign off|my signoff|my blessing|my explicit approval|my explicit permission|my explicit ok|my explicit consent|my explicit confirmation|my green light|my authorization|my authorisation|my thumbs up|asking|asking me|asking first|asking me first|checking|checking with me|confirming|confirming with me|consulting me|permission|approval|i say so|i say|i confirm|i confirmed|i've confirmed|i approve|i approved|i've approved|i agree|i agreed|i ok it|i okay it|i give the ok|i give you the ok|i give the go-ahead|i give my ok|i tell you|i tell you to|i told you|i've seen|i have seen|i've looked|i have looked|i've reviewed|i have reviewed|i've checked|i have checked|i've read|i have read|i've had a look|i look|i see|i review|i check|i read|i sign off|i signed off|i've signed off|i get back|i reply|i respond|i say yes|i say go|i'm happy with it|i'm ok with it|i'm okay with it|i am happy|i've said yes|i've said so|i explicitly|i've okayed|i've given|you hear from me|you heard from me|you have my|you've asked me|you have asked me|you ask me|you get my|you got my|told otherwise|told to|i'm back|i am back|i've had a chance|i've confirmed it|we've talked|we talk|we've discussed|we discuss|we've agreed",
    },
    { tag: "keep", words: "keep|leave|preserve|retain|let|hold|leaving|keeping|preserving" },
    {
      tag: "asis",
      words:
        "as is|as they are|as it is|as-is|as it was|as they were|alone|untouched|unchanged|unmodified|unedited|intact|in place|where they are|where it is|be|out of it|out of this|exactly as it is|exactly as they are|how it is|how they are|the way it is|the way they are|unaltered|unsent|unpublished|undeleted|unopened|in peace|for now|stay|unpushed|uncommitted|where they stand",
    },
    {
      tag: "readonly",
      words:
        "read only|readonly|read-only|only read|just read|only look|just look|look only|looking only|only looking|just looking|view only|only view|only viewing|reading only|only reading|just reading|look but don't touch|look don't touch|look but do not touch|look without touching|dry run|dry run only|dry-run|dry-run only|analysis only|only analyse|only analyze|report only|only report|advice only|only advise|no side effects|no side-effects|without side effects|no changes whatsoever|hands off everything|inspect only|only inspect|observe only|only observe|just observe|no write access|no writes|no actions|take no action|take no actions|don't act on anything|do not act on anything|don't take any action|do not take any action|don't do anything|do not do anything|do nothing|don't do anything yet|do nothing else|don't do anything else|do not do anything else|leave everything as is|leave everything as it is|leave everything alone|leave everything untouched|touch nothing|change nothing|no modifications of any kind|no touching|look and report|purely informational|information only|for information only|i just want information|i only want information|no execution",
    },
    {
      tag: "avoid",
      value: "says",
      words:
        "forbids|forbid|prohibits|prohibit|disallows|rules out|does not allow|doesn't allow|do not allow|don't allow|does not permit|doesn't permit|is against|bars",
    },
    {
      tag: "avoid",
      value: "touch",
      words:
        "hands off|keep your hands off|keep hands off|stay away from|keep away from|steer clear of|keep out of|stay out of|keep clear of|leave alone",
    },
    {
      tag: "readonly",
      value: "stop",
      words:
        "forget it|forget that|never mind|nevermind|scratch that|abort|abort that|abort mission|stop it|stop that|stop everything|leave it|drop it|skip it|cancel that|cancel it|hold that thought|belay that|not yet|not now|hold on|hold it|wait don't|wait no|no wait|stand down|don't bother|on second thought no|changed my mind",
    },
    {
      tag: "readonly",
      value: "egress",
      words:
        "for my eyes only|eyes only|my eyes only|for internal use only|keep it between us|keep this between us|just between us|strictly between us|between you and me|keep it confidential|keep this confidential|strictly confidential|keep it to yourself|keep this to yourself|keep it private|keep this private|keep everything local|keep it local|stay offline|do not leak",
    },
    {
      tag: "offlimits",
      words:
        "off limits|off-limits|out of bounds|out of scope|not to be touched|not to be changed|not to be modified|not to be edited|not to be altered|not to be deleted|not to be removed|not to be moved|hands off|are taboo|is taboo|taboo|is sacred|are sacred|is untouchable|are untouchable|must stay|must remain|has to stay|have to stay|should stay|should remain|must be kept|should be kept|stays|stay|must survive|belongs to someone else|is frozen|are frozen|is forbidden|are forbidden|is prohibited|are prohibited|is not allowed|are not allowed|isn't allowed|aren't allowed|is out of the question|are out of the question|is not permitted|is banned|are banned|is not an option|is a no go|is a no-go|are a no go|is strictly forbidden|is strictly prohibited|is not on the table|would be wrong|is not ok|is not okay|is not acceptable",
    },
    {
      tag: "draftonly",
      words:
        "draft only|drafts only|only draft|only a draft|just a draft|just draft|as a draft|as draft|as drafts|in draft|in drafts|in my drafts|leave it as a draft|leave it as draft|leave as draft|leave it in drafts|leave it in my drafts|keep it as a draft|keep it in drafts|keep as draft|save as draft|save it as a draft|save to drafts|drafting only|only drafting|only prepare|just prepare|prepare only|only compose|just compose",
    },
    {
      tag: "local",
      words:
        "local only|locally|local|on this machine|on my machine|on this computer|on this laptop|on my laptop|on my computer|offline|to yourself|between us|confidential|private|secret|in house|in-house|internal|to ourselves|inside this repo|inside the company",
    },
    {
      tag: "assent",
      words:
        "ok go ahead|okay go ahead|go ahead|yes go ahead|go for it|do it|just do it|do that|yes do it|yes please|proceed|please proceed|carry on|continue|go on then|sounds good|looks good|lgtm|approved|i approve|confirmed|agreed|yes|yep|yeah|sure|ok|okay|fine|alright|all good|that's fine|that works|make it so|you have my ok|you may proceed|you can proceed|you can go ahead|you may go ahead|please go ahead|go|now do it|ok do it|ok then|all right then|whatever you think|do what you have to|do what you need to|do whatever|do whatever you want|do as you like|do whatever is needed|do whatever it takes|your call|up to you|be my guest",
    },
    {
      tag: "delegate",
      words:
        "do what it says|do what this says|do what that says|do what they say|do what he says|do what she says|do what he wants|do what she wants|do what they want|do what he asks|do what she asks|do what they ask|do as it says|do as he says|do as she says|do as they say|do as instructed|do as told|do what the|do what this|do what's written|do what is written|do everything it says|do everything in|do everything on|do the things|do the following|do the tasks|do all the tasks|do all tasks|do my tasks|do the steps|complete the tasks|complete all tasks|complete the steps|perform the tasks|perform the steps|execute the tasks|execute the steps|follow the instructions|follow its instructions|follow their instructions|follow these instructions|follow the steps|follow these steps|follow what it says|follow it|carry out the|carry out what|carry out the instructions|carry out the steps|act on it|act on them|act on the|act accordingly|act on that|act on this|handle it|handle them|handle this|handle that|handle the|deal with it|deal with them|deal with this|deal with the|take care of it|take care of them|take care of this|take care of that|take care of the|take care of everything|take action|process it|process them|process this|process my|process the|apply these|apply them|work through|work off|tackle|sort it out|sort this out|sort that out|fulfil|fulfill|comply with|honor the request|honour the request|make it happen|get it done|get this done|get that done|do them|do all of them|do all of it|do all that|run with it|address the|address it|address them|respond accordingly|whatever it says|what it asks|as described|as requested|as instructed|as it says|what's on my|everything on my todo|my todo list|my to-do list|my to do list|tasks on my|items on my|tasks from|tasks in|tasks at",
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

    // Looking and thinking
    {
      tag: "read",
      words:
        "summarize|summarise|sum up|read|re-read|reread|check|check whether|check if|check on|check out|recheck|double check|find|find out|list|show|show me|compare|look|look at|look up|look into|look for|look through|look over|take a look|have a look|get me a look|search|search for|review|analyze|analyse|count|translate|get|get me|give|give me|fetch|see|verify|scan|audit|inspect|investigate|research|figure out|work out|dig into|dig up|go through|go over|go to|visit|browse|navigate|navigate to|open up|think|think about|rank|recommend|propose|estimate|diagnose|trace|identify|collect|gather|group|classify|categorize|prepare|plan|wait|know|let me know|track|print|display|decide|choose|pick|map|map out|highlight|outline|extract|pull|pull up|transcribe|interpret|assess|evaluate|rate how|monitor|watch|keep an eye on|examine|explore|study|skim|parse|proofread|brainstorm|come up with|put together|tell|tell me|tell us|report|report back|note|assume|use|ignore|treat|help|answer|show us|give us|bring|bring me|locate|determine|measure|detect|quote|cite|score|grade|predict|guess|solve|walk through|follow up|provide|deliver me|present|return|output|scrape|crawl|poll|view|test whether|check that|make sure|make sure that|make sure the|ensure|ensure that|ensure the|see if|see whether|remember what|recall|discuss|reason|reason about|learn about|understand|what's up with|calculate|compute|spell check|spellcheck|fact-check|factcheck|take a screenshot|take screenshots|screenshot|describe|sort through|filter out|narrow down|shortlist|draw up|pretend|act as|be|have|stay|focus|concentrate|spend|mind you|take|listen|listen to|play around|speed up|cross-check|cross check|reconcile|match up|flag up|pinpoint|point out|suggest|explain|want|need|write down here|write me|write us|tell them apart|get a sense|get an overview|get the|get all|get a|get it|get my|get last|get every|give a|give it a|move on|carry on|go on|keep going|move on to|ask me|ask us|ask me anything|show it to me|show them to me|show me everything|get back to me|use as few",
    },

    // Doing: what a verb is called besides its own name
    {
      tag: "verb",
      value: "delete",
      words:
        "delete|remove|erase|wipe|purge|destroy|discard|get rid of|throw away|throw out|toss|toss out|nuke|zap|axe|scrap|take down|kill off|do away with|obliterate|expunge|bin|drop|prune|unlink|rm|shred|ditch|clear away|clear out|eliminate|dispose of|take out|strip out|strip|clean out|flush|weed out|delete off|wipe out|blow away|cut out",
    },
    {
      tag: "verb",
      value: "trash",
      words: "trash|move to trash|move to the trash|send to trash|put in the trash|put in the bin",
    },
    { tag: "verb", value: "clear", words: "clear|empty|empty out|truncate" },
    { tag: "verb", value: "clean", words: "clean up|tidy|tidy up|clean|declutter" },
    { tag: "verb", value: "uninstall", words: "uninstall" },
    { tag: "verb", value: "cancel", words: "cancel|call off|terminate|annul|void|cancel out" },
    { tag: "verb", value: "unsubscribe", words: "unsubscribe|opt out" },
    {
      tag: "verb",
      value: "send",
      words:
        "send|send out|send off|send over|shoot|shoot over|fire off|ship over|pass on|pass along|relay|drop off with|hand over|get out to|dispatch|transmit|mail out|deliver|distribute|circulate|fax|write to|reach out to|get in touch with|touch base with|follow up with|cc|bcc|loop in|drop a line|drop a note|drop a message|drop him|drop her|drop them|resend|re-send|pass|hand",
    },
    { tag: "verb", value: "email", words: "email|e-mail|e mail|mail|send an email|send a mail" },
    { tag: "verb", value: "message", words: "message|dm|pm|direct message|im|telegram|slack|whatsapp|ping" },
    { tag: "verb", value: "text", words: "text|sms" },
    {
      tag: "verb",
      value: "reply",
      words:
        "reply|reply to|respond|respond to|reply all|answer|write back|write back to|get back to|email back|text back|acknowledge",
    },
    { tag: "verb", value: "forward", words: "forward|fwd|redirect" },
    { tag: "verb", value: "post", words: "post|tweet|retweet|toot|crosspost|repost" },
    { tag: "verb", value: "publish", words: "publish|announce|broadcast|go live with" },
    {
      tag: "verb",
      value: "notify",
      words:
        "notify|inform|alert|warn|let know|give a heads up|tell|ask|thank|congratulate|invite back|apologize to|apologise to|brief|contact|assure|keep posted|tip off|let|say hi|say hello|say|greet",
    },
    { tag: "verb", value: "call", words: "call|phone|ring|ring up|call up|telephone|dial|facetime" },
    {
      tag: "verb",
      value: "comment",
      words:
        "comment|leave a comment|leave comments|add a comment|write a comment|post a comment|leave a note|leave a reply|leave a review",
    },
    { tag: "verb", value: "react", words: "react|thumbs up" },
    {
      tag: "verb",
      value: "invite",
      words: "invite|send an invite|send an invitation|send invites|send invitations|send a calendar invite",
    },
    { tag: "verb", value: "share", words: "share|give access|grant access|make available|expose" },
    { tag: "verb", value: "grant", words: "grant|give|permit|allow|authorize|authorise|let in" },
    { tag: "verb", value: "unshare", words: "unshare|stop sharing|make private" },
    {
      tag: "verb",
      value: "revoke",
      words: "revoke|take away access|withdraw access|kick|kick out|ban|block|lock out",
    },
    { tag: "verb", value: "subscribe", words: "subscribe|sign up|sign up for" },
    {
      tag: "verb",
      value: "pay",
      words:
        "pay|pay off|pay out|settle|settle up|pay for|clear the balance|square up|cover the bill|remit|make a payment|make the payment|do the payment",
    },
    {
      tag: "verb",
      value: "transfer",
      words: "transfer|wire|venmo|paypal|move money|make a transfer|do a transfer|zelle|bank transfer",
    },
    {
      tag: "verb",
      value: "refund",
      words:
        "refund|reimburse|pay back|give back|repay|issue a refund|make a refund|money back|compensate|credit back",
    },
    { tag: "verb", value: "tip", words: "tip|leave a tip|give a tip" },
    { tag: "verb", value: "donate", words: "donate|chip in|contribute|make a donation" },
    { tag: "verb", value: "charge", words: "charge|bill|debit" },
    { tag: "verb", value: "invoice", words: "invoice" },
    { tag: "verb", value: "top_up", words: "top up|recharge|deposit|withdraw" },
    {
      tag: "verb",
      value: "buy",
      words:
        "buy|purchase|get hold of|pick up|grab|snag|acquire|procure|checkout|make a purchase|stock up on|splurge on|invest in|bid|bid on|spend money",
    },
    { tag: "verb", value: "sell", words: "sell|trade|invest|liquidate" },
    {
      tag: "verb",
      value: "order",
      words: "order|reorder|re-order|place an order|place the order|preorder|pre-order|place a order",
    },
    {
      tag: "verb",
      value: "book",
      words: "book|rebook|reserve|make a reservation|make a booking|make reservations|rent|hire|lease",
    },
    { tag: "verb", value: "renew", words: "renew|extend the subscription|extend the plan" },
    {
      tag: "verb",
      value: "upgrade",
      words: "upgrade|start a trial|start the trial|start a subscription|start a free trial",
    },
    {
      tag: "verb",
      value: "create",
      words:
        "create|set up|setup|generate|produce|build up|start a|stand up|bootstrap|init|initialize|initialise|provision|establish|put up|make a new|render|draw up a",
    },
    { tag: "verb", value: "make", words: "make" },
    { tag: "verb", value: "attach", words: "attach" },
    {
      tag: "verb",
      value: "add",
      words: "add|insert|append|put|put down|put in|jot down|jot|write down|note down|enter|log",
    },
    { tag: "verb", value: "open", words: "open|raise" },
    {
      tag: "verb",
      value: "file",
      words: "file|lodge|submit a ticket|submit an issue|report a bug|report an issue|raise a ticket",
    },
    { tag: "verb", value: "register", words: "register|enroll|enrol|sign me up|sign us up" },
    {
      tag: "verb",
      value: "write",
      words: "write|write up|write out|type up|compose|author|document|note in|record|transcribe into",
    },
    { tag: "verb", value: "draft", words: "draft|draft up|word a|word the|word my|phrase a|sketch a|pen a" },
    {
      tag: "verb",
      value: "save",
      words:
        "save|store|export|dump|persist|keep a copy|back up|backup|make a backup|make a copy|take a backup|make a backup copy",
    },
    {
      tag: "verb",
      value: "copy",
      words:
        "copy|duplicate|clone|fork|mirror|make a copy of|make copies of|make a backup copy|make a backup of|replicate",
    },
    { tag: "verb", value: "download", words: "download|grab the file" },
    {
      tag: "verb",
      value: "update",
      words:
        "update|edit|change|modify|alter|tweak|swap|touch|mess with|fiddle with|tamper with|make changes|make a change|make edits|make any changes|update the",
    },
    {
      tag: "verb",
      value: "fix",
      words:
        "fix|repair|debug|resolve the bug|solve the bug|patch up|correct|squash the bug|get working|make work|make pass|unbreak",
    },
    {
      tag: "verb",
      value: "implement",
      words:
        "implement|code|code up|program|develop|write the code|finish implementing|add support for|add tests|add a test|write tests|write unit tests|write a test|scaffold|prototype|hack together|wire up|hook up",
    },
    {
      tag: "verb",
      value: "refactor",
      words:
        "refactor|clean up the code|rewrite|port|migrate|modernize|modernise|optimize|optimise|simplify|restructure|extract the function|inline|deduplicate|lint fix|convert the code|vectorize|parallelize|decouple|modularize|add types to|add type hints|convert to typescript",
    },
    {
      tag: "verb",
      value: "improve",
      words:
        "amend|revise|bring up to date|refresh|fill out the doc|fix up|patch|reset|rework|reword|rephrase|improve|polish|tidy the text|touch up|swap out|replace|extend|shorten|expand|convert|switch over|increase|decrease|raise the|lower|bump|restyle|reformat|format|sort|resize|crop|compress|rotate|annotate|localize|encrypt|merge into|fill in the doc|configure|customize|customise|adapt|align|apply|move around|rearrange|reorganize|reorganise|organize|organise|trim|split|split up|comment out|uncomment|indent|dedent|deprecate|hardcode|parametrize|type-annotate|prepend|concatenate|combine|wrap|unwrap|restore|number the|renumber|translate the file|anonymize|anonymise|redact|normalize|normalise|standardize|round|pad|strip trailing|capitalize|lowercase|uppercase|inject|bump the version|pin the version|re-encode|minify|beautify|prettify|transpose|flatten|tighten|loosen|harmonize|harmonise|proofread and fix|line up|nest|sharpen|blur|watermark|retouch|split out|move out|pull out into",
    },
    { tag: "verb", value: "rename", words: "rename|retitle|give a new name" },
    { tag: "verb", value: "move", words: "move|relocate|shift|drag|transfer the file|transfer the files" },
    { tag: "verb", value: "archive", words: "archive|file away|mothball" },
    {
      tag: "verb",
      value: "extract",
      words: "unzip|untar|unpack|extract the archive|decompress|zip|zip up|pack",
    },
    { tag: "verb", value: "close", words: "close|close out|close down|shut|wrap up the ticket" },
    { tag: "verb", value: "reopen", words: "reopen|re-open" },
    {
      tag: "verb",
      value: "resolve",
      words:
        "resolve|complete|finish|check off|tick off|cross off|mark done|mark as done|mark complete|mark as complete|mark as resolved",
    },
    {
      tag: "verb",
      value: "mark",
      words:
        "mark|flag|star|unstar|pin|unpin|favorite|favourite|bookmark|mark as read|mark as unread|mark read|snooze|mute|unmute|follow|unfollow|like|unlike|upvote|vote|react to|set status|prioritize|prioritise|rank higher|escalate|dismiss",
    },
    { tag: "verb", value: "label", words: "label|categorise|relabel|unlabel" },
    { tag: "verb", value: "assign", words: "assign|reassign|unassign|delegate|hand off|hand to" },
    {
      tag: "verb",
      value: "approve",
      words: "approve|accept|reject|decline|confirm|deny|rsvp|green-light|sign off on",
    },
    { tag: "verb", value: "merge", words: "merge|squash and merge|land the pr" },
    { tag: "verb", value: "rate", words: "rate|review it|leave a rating|give stars" },
    {
      tag: "verb",
      value: "turn_on",
      words:
        "turn on|turn off|turn up|turn down|turn|switch on|switch off|switch|dim|brighten|toggle|enable|disable|activate|deactivate|arm|disarm|unlock|lock|start the|stop the|crank up|crank|heat up|cool down",
    },
    { tag: "verb", value: "set", words: "set|set the|adjust|put the" },
    { tag: "verb", value: "play", words: "play|pause|resume|skip|queue|shuffle|put on|unpause" },
    { tag: "verb", value: "push", words: "push|git push|push up|push out" },
    { tag: "verb", value: "upload", words: "upload|put online|put up on|sync up|upload to" },
    {
      tag: "verb",
      value: "deploy",
      words:
        "deploy|redeploy|ship|roll out|release|promote|go live|publish the package|cut a release|roll back|rollback",
    },
    {
      tag: "verb",
      value: "submit",
      words:
        "submit|fill in|fill out|fill|complete the form|click|press|hit|tap|select|log in|login|log into|sign in|sign into|apply for|check in|claim|sign|enter my|accept the|hand in|turn in|cast my vote",
    },
    {
      tag: "verb",
      value: "run",
      words: "run|rerun|re-run|execute|exec|try running|kick off|trigger|invoke|fire up|call the script",
    },
    { tag: "verb", value: "test", words: "test|retest|run tests|run the tests|run the test suite" },
    {
      tag: "verb",
      value: "build",
      words: "build|rebuild|compile|recompile|bundle|make build|typecheck|type-check|lint",
    },
    {
      tag: "verb",
      value: "install",
      words:
        "install|reinstall|npm install|pip install|apt install|brew install|add the package|add the dependency",
    },
    { tag: "verb", value: "start", words: "start|start up|boot|boot up|launch|serve|spin up" },
    { tag: "verb", value: "restart", words: "restart|reboot|reload|bounce|power cycle" },
    {
      tag: "verb",
      value: "stop",
      words: "stop|kill|shut down|shutdown|shut off|terminate the process|halt|power off",
    },
    { tag: "verb", value: "bisect", words: "bisect|benchmark|profile|simulate|train the|train a" },
    { tag: "verb", value: "revert", words: "revert|undo|roll back the commit" },
    {
      tag: "verb",
      value: "rebase",
      words:
        "rebase|cherry-pick|cherry pick|git pull|check out branch|check out the branch|git checkout|reset the branch|fetch origin|sync with upstream|sync|checkout branch|pull from|pull the latest|pull latest|pull main|pull the changes|pull in the changes",
    },
    {
      tag: "verb",
      value: "commit",
      words: "commit|git commit|stage|squash|stash|amend the commit|check in the code|save a commit",
    },
    { tag: "verb", value: "tag", words: "tag|retag|untag" },
    { tag: "verb", value: "overwrite", words: "overwrite|clobber|override" },
    {
      tag: "verb",
      value: "remember",
      words:
        "remember that|remember my|remember i|remember we|remember this|remember the|remember for|remember|memorize|memorise|save to memory|save to your memory|save this to memory|save that to memory|store in memory|add to your memory|add to memory|keep in memory|make a mental note|note to self|note for the future|note for later|keep in mind for next time|bear in mind for next time|commit to memory|make a note that",
    },
    {
      tag: "verb",
      value: "forget",
      words:
        "forget that|forget about my|forget what|forget my|remove from memory|remove from your memory|delete from memory|unlearn",
    },
    {
      tag: "verb",
      value: "remind",
      words:
        "remind|remind me|remind us|set a reminder|set me a reminder|add a reminder|create a reminder|set an alarm|set a timer|put a reminder|make a reminder|wake me|wake me up|alert me|nudge me|ping me",
    },
    {
      tag: "verb",
      value: "schedule",
      words:
        "schedule|reschedule|plan in|set up a meeting|set up a call|set up a recurring|set up an appointment|arrange|pencil in|put on my calendar|put in my calendar|put on the calendar|put in the calendar|calendar|add to my calendar|block off|block out|block time|plan a meeting|organize a meeting|organise a meeting|hold a slot",
    },

    // Nouns made of verbs, for `no …`, `without …`, `hold off on the …`
    {
      tag: "verb",
      form: "n",
      value: "send",
      words:
        "send|sends|message|messages|dms|replies|reply|response|responses|answers|outgoing messages|outbound messages|outreach|notification|notifications|correspondence|contact|communication|communications|call|calls|tweet|tweets|announcement|announcements|invites|invite|invitation|invitations",
    },
    {
      tag: "verb",
      form: "n",
      value: "email",
      words:
        "emails|e-mails|email|e-mail|mail|mails|outgoing mail|outgoing mails|newsletter|newsletters|mailing|mailings",
    },
    { tag: "verb", form: "n", value: "text", words: "texts|sms|text messages" },
    { tag: "verb", form: "n", value: "post", words: "post|posts|posting|postings|publication|publishing" },
    { tag: "verb", form: "n", value: "comment", words: "comment|comments" },
    {
      tag: "verb",
      form: "n",
      value: "share",
      words: "share|shares|sharing|access changes|permission changes|public links|public link",
    },
    {
      tag: "verb",
      form: "n",
      value: "buy",
      words:
        "purchase|purchases|order|orders|payment|payments|spending|transaction|transactions|transfer|transfers|booking|bookings|reservation|reservations|charges|refund|refunds|money|subscription|subscriptions|checkout|expenses|purchasing|buying|paid plan|paid plans|paid features|paid service|paid services|credit card",
    },
    {
      tag: "verb",
      form: "n",
      value: "delete",
      words:
        "deletion|deletions|delete|deletes|removal|removals|deleting|cleanup|clean-up|purge|purges|data loss",
    },
    {
      tag: "verb",
      form: "n",
      value: "update",
      words:
        "change|changes|edit|edits|modification|modifications|update|updates|alteration|alterations|write|writes|writing|tampering|overwrite|overwrites|rewrites|tweaks|edits to anything",
    },
    {
      tag: "verb",
      form: "n",
      value: "create",
      words: "new files|new file|new documents|new issues|new tickets|new events|creation",
    },
    { tag: "verb", form: "n", value: "upload", words: "upload|uploads|uploading" },
    { tag: "verb", form: "n", value: "push", words: "push|pushes|force push|force pushes|pushing" },
    { tag: "verb", form: "n", value: "commit", words: "commit|commits|committing" },
    { tag: "verb", form: "n", value: "merge", words: "merge|merges|merging" },
    {
      tag: "verb",
      form: "n",
      value: "deploy",
      words: "deploy|deploys|deployment|deployments|release|releases",
    },
    {
      tag: "verb",
      form: "n",
      value: "run",
      words: "run|execution|executing|shell|terminal|shell commands|commands|scripts|running",
    },
    {
      tag: "verb",
      form: "n",
      value: "install",
      words:
        "install|installs|installation|installations|new dependencies|new packages|new dependency|dependencies",
    },
    { tag: "verb", form: "n", value: "restart", words: "restart|restarts|reboot|reboots|downtime" },
    {
      tag: "verb",
      form: "n",
      value: "schedule",
      words: "scheduling|calendar entries|calendar changes|cron jobs|reminders",
    },
    {
      tag: "verb",
      form: "n",
      value: "submit",
      words: "submission|submissions|submitting|sign-ups|signups|logins|clicks",
    },
    { tag: "verb", form: "n", value: "cancel", words: "cancellation|cancellations|cancelling|canceling" },
    { tag: "verb", form: "n", value: "move", words: "move|moves|moving" },
    { tag: "verb", form: "n", value: "rename", words: "rename|renames|renaming" },
    { tag: "verb", form: "n", value: "remember", words: "memory|memories|memory entries" },
  ],
  compounds: {
    edit: "rights access permission permissions mode history button link distance",
    view: "rights access permission permissions link",
    read: "rights access permission permissions",
    pat: "said says sent wants asked told thinks needs has had will would can could called emailed wrote does is was",
    rob: "said says sent wants asked told thinks needs has had will would can could called emailed wrote does is was",
    chase:
      "said says sent wants asked told thinks needs has had will would can could called emailed wrote does is was",
    grant:
      "said says sent wants asked told thinks needs has had will would can could called emailed wrote does is was",
    share:
      "price prices capital holder holders market value values drive buyback option options folder sheet count button link links dialog",
    order:
      "history status number numbers confirmation confirmations id ids book form forms date dates of details page total value volume by from placed is was list",
    delete:
      "key keys button command commands option flag statement query markers marker permission permissions event events",
    save: "button command game games icon point file files dialog",
    send: "button key icon queue limit limits",
    post: "office offices code box boxes mortem production processing office's hoc",
    book: "club clubs review reviews title titles author authors list shelf store stores value report deal fair",
    transfer:
      "window windows fee fees student rate rates speed market time list history protocol rumours rumors",
    charge: "cable cables port level controller nurse card",
    text: "message messages editor editors file files field fields box mode size colour color",
    message: "board boards body format queue queues broker bus limit of from history thread",
    email:
      "address addresses client clients thread threads header headers provider account accounts list from template templates signature subject marketing",
    mail: "server servers box client order from merge address",
    call: "log logs center centre sign stack of history duration from graph",
    push: "notification notifications button buttons back ups",
    commit: "message messages hash history hashes log of sha id",
    merge: "conflict conflicts sort request requests queue",
    pull: "request requests quote",
    release: "notes note date dates cycle candidate candidates of schedule week",
    file: "size sizes name names system systems format formats type types path paths extension extensions server explorer handle is descriptors list tree",
    label: "maker text size printer",
    tag: "line lines cloud name names",
    reply: "from to-address rate button",
    comment: "section thread threads from by count",
    invoice: "number numbers total date status address history from template",
    refund: "policy policies status window request requests rate rates process history rules",
    payment: "method methods history status due date terms",
    purchase: "history price order orders date agreement",
    cancel: "button fee fees culture policy",
    test: "suite coverage results data case cases plan environment strategy results file files fixture fixtures",
    build:
      "log logs status number time times system pipeline is output artifact artifacts script breaks server step steps",
    run: "time times book rate log logs of",
    update: "history log logs cycle on schedule",
    change: "log logs request requests management order history of set",
    write: "rights access permission permissions speed ups performance throughput",
    copy: "editor cat writer right of machine paste",
    move: "semantics ment",
    remove: "button",
    play: "list lists store button time off station ground",
    set: "list lists point theory of up piece",
    open: "source issues invoices tickets rate hours house day pull prs orders questions items bugs position positions tasks weights office plan seating telemetry api",
    close: "friend friends button to up call by price date deadline enough",
    start: "date dates time times up button menu screen of page",
    stop: "loss sign words word button",
    tip: "jar line of",
    bill: "gates of total amount smith murray said says sent wants asked told thinks needs has had will would can could called emailed wrote does is was",
    mark: "down up twain zuckerberg said says sent wants asked told thinks needs has had will would can could called emailed wrote does is was",
    sign: "language of up-sheet",
    note: "book books pad that taking",
    plan: "b a of",
    log: "file files level levels entry entries in-page output",
    drop: "down box table-syntax off rate shipping zone",
    clear: "sky case view enough",
    clean: "code energy air architecture room",
    block: "chain list quote size number party",
    rate: "limit limits card of hike",
    fix: "version date for",
    install: "base guide instructions script size",
    deploy: "script scripts log logs key keys step pipeline preview",
    report: "card",
    match: "report day",
    upload: "speed limit folder button",
    download: "speed folder link button count page",
    archive: "folder org page",
    sort: "order of key",
    trade: "off offs mark war show",
    enable: "flag",
    ring: "tone",
    rent: "payment control increase",
    wire: "frame fraud",
    pay: "check slip day raise rise gap roll cheque grade stub",
    buy: "button side in-rate",
    sell: "side",
    forward: "compatibility",
    answer: "key sheet",
    record: "label store company",
    set_up: "guide",
    check: "list lists",
    word: "count counts document documents file doc of",
    pin: "code number",
    star: "wars trek rating",
    like: "this that the a an in with to",
    land: "lord owner",
    ship: "date yard",
    wipe: "test",
    cut: "off",
    time: "zone zones",
    program: "manager",
    trigger: "warning word",
    form: "field fields data",
    design: "doc docs document system review team",
    draw: "back",
    train: "station ticket tickets times schedule from",
    stage: "name",
    sync: "issue error status",
    profile: "picture photo page",
    source: "code",
    hit: "rate",
    short: "story list",
    pop: "up music",
    stick: "er",
    paper: "jam",
    patch: "notes version",
    notify: "",
  },
};
