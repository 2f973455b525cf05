import type { Row } from "../table.ts";

/** English: what may be asked for, and the nouns made of it. */
export const VERBS: readonly Row[] = [
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
  {
    tag: "verb",
    value: "post",
    words:
      "post|link it in|link this in|link that in|drop it in|drop a link in|drop a note in|mention it in|tweet|retweet|toot|crosspost|repost",
  },
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
      "implement|work on|code|code up|program|develop|write the code|finish implementing|add support for|add tests|add a test|write tests|write unit tests|write a test|scaffold|prototype|hack together|wire up|hook up",
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
  { tag: "verb", value: "push", words: "push|git push|push up|push out|force push" },
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
      "keep in mind that|keep in mind|note that i|note that my|note that we|note that our|remember that|remember my|remember i|remember we|remember this|remember the|remember for|remember|memorize|memorise|save to memory|save to your memory|save this to memory|save that to memory|store in memory|add to your memory|add to memory|keep in memory|make a mental note|note to self|note for the future|note for later|keep in mind for next time|bear in mind for next time|commit to memory|make a note that",
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
];
