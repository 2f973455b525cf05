import type { Row } from "../table.ts";

/** English: what forbids. */
export const BANS: readonly Row[] = [
  // Forbidding
  {
    tag: "not",
    words:
      "you are not permitted to|you aren't permitted to|you're not permitted to|you have no permission to|it's too early to|it is too early to|do nt|do nto|nto|dnt|dotn|dno't|dont't|don'tt|don'tn|neevr|nevr|nver|nevre|neve|don't|dont|do not|don t|do'nt|don;t|never|never ever|must not|mustn't|mustnt|must never|should not|shouldn't|shouldnt|should never|shall not|may not|may never|can not|cannot|can't|cant|could not|not|not to|ought not to|are not to|is not to|isn't to|aren't to|aren't allowed to|isn't allowed to|are not allowed to|is not allowed to|not allowed to|am not allowing you to|i don't want you to|i do not want you to|i don't want|i do not want|i don't want to|i do not want to|i'd rather not|i would rather not|i'd rather you didn't|i would rather you didn't|i'd prefer not to|i'd prefer you didn't|i would prefer not to|i'd prefer that you don't|i prefer not to|we don't want to|we don't want you to|we don't want|we'd rather not|let's not|lets not|let us not|under no circumstances|under no circumstance|at no point|at no time|on no account|in no case|by no means|in no way|no way should you|you don't need to|you do not need to|you needn't|no need to|there's no need to|there is no need to|not necessary to|it's not necessary to|you don't have to|you do not have to|don't you dare|do not ever|don't ever|don't even|do not under any circumstances|don't under any circumstances|please no|forbidden to|you're forbidden to|you are forbidden to|prohibited from|i forbid you to|i forbid|you must not|you mustn't|you must never|you should not|you shouldn't|you should never|you may not|you can't|you cannot|you can not|you're not allowed to|you are not allowed to|you're not to|you are not to|you aren't to|you aren't allowed to|you won't|you will not|you're not supposed to|you are not supposed to|better not|rather not|preferably not|best not|ideally not|you'd better not|think twice before|neither|nor|isn't allowed|is not permitted to|not permitted to|you have no permission to|you do not have permission to|you don't have permission to|you have no authority to|without my permission never|needn't|make sure not to|be sure not to|be careful not to|take care not to|try not to|remember not to|make sure you don't|make sure that you don't|make sure you do not|make sure you never|ensure you don't|make sure we don't|please refrain and don't|won't|will not|what i don't want is|what i do not want is|what you should not do is|what you shouldn't do is|what you must not do is|the one thing you must not do is|the one thing you should not do is|the only thing you must not do is|what must not happen is|one thing you must not do is|what we don't want is",
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
      "nix|forget|stay off|hold the|scrap|avoid|refrain from|abstain from|hold off|hold off on|hold off from|hold back on|hold back from|stop|cease|quit|halt|desist from|skip|forgo|forget about|leave out|put off|postpone|delay|keep from|keep yourself from|resist|no more|prohibited|forbidden|not allowed|don't bother|don't bother to|never mind|nevermind|ban on|wait with|wait on|pause on|pause before|scratch that and stop|i'm against|i am against|i object to|i don't authorize|i do not authorize|i don't approve|i do not approve|i don't allow|i do not allow|i don't permit|i do not permit|i won't allow|no permission for|no permission to|there will be no|there must be no|there should be no|there is to be no|make no|do no|take no|perform no|allow no|i want no|we want no|with no|strictly no|absolutely no",
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
      "just plan|only plan|plan only|plan mode|planning only|don't act|do not act|read only|readonly|read-only|only read|just read|only look|just look|look only|looking only|only looking|just looking|view only|only view|only viewing|reading only|only reading|just reading|look but don't touch|look don't touch|look but do not touch|look without touching|dry run|dry run only|dry-run|dry-run only|analysis only|only analyse|only analyze|report only|only report|advice only|only advise|no side effects|no side-effects|without side effects|no changes whatsoever|hands off everything|inspect only|only inspect|observe only|only observe|just observe|no write access|no writes|no actions|take no action|take no actions|don't act on anything|do not act on anything|don't take any action|do not take any action|don't do anything|do not do anything|do nothing|don't do anything yet|do nothing else|don't do anything else|do not do anything else|leave everything as is|leave everything as it is|leave everything alone|leave everything untouched|touch nothing|change nothing|no modifications of any kind|no touching|look and report|purely informational|information only|for information only|i just want information|i only want information|no execution",
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
      "wait not yet|stop it|stop that|stop everything|stop there|stop right there|leave it|skip it|hold that thought|not yet|not now|hold on|hold it|hang on|one moment|wait don't|wait no|no wait|wait stop|stop stop|stop please|stand down|pause|pause please|let's wait|wait|wait a second|wait a sec|wait a minute|wait a moment|wait up|hang on a second|hang on a sec|hang on a minute|hold on a second|hold on a sec|hold on a minute|just a moment|just a second|let's hold off|hold your horses",
  },
  {
    tag: "readonly",
    value: "withdraw",
    words:
      "just kidding|kidding|only kidding|just joking|only joking|i was joking|i was kidding|wait no|no wait no|forget it|forget that|forget about it|forget about that|forget what i said|forget what i asked|forget i asked|forget my last message|forget the last message|never mind|nevermind|nvm|never mind that|never mind then|scratch that|strike that|abort|abort that|abort mission|drop it|drop that|cancel that|cancel it|cancel my request|cancel the request|cancel my last request|belay that|don't bother|on second thought no|on second thoughts no|changed my mind|i changed my mind|i've changed my mind|i have changed my mind|disregard|disregard that|disregard it|disregard my last message|disregard what i said|disregard my request|ignore that|ignore my last message|ignore what i said|ignore my request|ignore my previous message|ignore the last message|i take that back|i take it back|let's not|let's not do that|let's leave it|no longer needed|not needed anymore|not needed any more|that's no longer needed|it's no longer needed|no need anymore|it's not needed anymore",
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
      "can wait|must wait|has to wait|have to wait|off limits|off-limits|out of bounds|out of scope|not to be touched|not to be changed|not to be modified|not to be edited|not to be altered|not to be deleted|not to be removed|not to be moved|hands off|are taboo|is taboo|taboo|is sacred|are sacred|is untouchable|are untouchable|must stay|must remain|has to stay|have to stay|should stay|should remain|must be kept|should be kept|stays|stay|must survive|belongs to someone else|is frozen|are frozen|is forbidden|are forbidden|is prohibited|are prohibited|is not allowed|are not allowed|isn't allowed|aren't allowed|is out of the question|are out of the question|is not permitted|is banned|are banned|is not an option|is a no go|is a no-go|are a no go|is strictly forbidden|is strictly prohibited|is not on the table|would be wrong|is not ok|is not okay|is not acceptable",
  },
  {
    tag: "draftonly",
    words:
      "draft only|drafts only|only draft|only a draft|just a draft|just draft|as a draft|as draft|as drafts|in draft|in drafts|in my drafts|in the drafts|leave it as a draft|leave it as draft|leave as draft|leave it in drafts|leave it in my drafts|keep it as a draft|keep it in drafts|keep as draft|save as draft|save it as a draft|save to drafts|drafting only|only drafting|only prepare|just prepare|prepare only|only compose|just compose",
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
];
