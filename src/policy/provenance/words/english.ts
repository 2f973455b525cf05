/** English words by what they do beside a decision. A word may stand in several rows; words with a space are phrases. */
import { Role } from "./roles.ts";

export const ENGLISH_WORDS: readonly (readonly [number, string])[] = [
  [Role.Subject, "user owner user/owner owner/user"],
  [Role.Joint, "we we've we'd we're"],
  [Role.Determiner, "the my our"],
  [
    Role.Filler,
    `already also always again just now then really actually definitely explicitly still even too both all
    first once finally eventually ultimately recently later since today yesterday tonight tomorrow earlier
    afterwards thereafter meanwhile instead however therefore hence thus indeed naturally twice thrice outright
    ago soon far back long quite rather very much more less up alone himself herself themselves personally likewise
    |once again|once more|at once|last time|this time|of course|in fact|in the end|after all|so far|at last|at first
    |in writing|in person|on reflection|for now|for good|as well|by then|by now|in turn|up front|on record|no less
    |on balance|right away|straight away|with regret|in principle|first thing|out loud|just now|earlier today`,
  ],
  [
    Role.Time,
    `monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january february
    march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    morning afternoon evening night noon midnight week weekend month quarter year day days hour hours minutes weeks months years mornings evenings nights spring summer
    autumn winter christmas easter q1 q2 q3 q4 am pm date`,
  ],
  [
    Role.Medium,
    `call chat meeting email emails mail e-mail phone slack telegram whatsapp signal discord teams zoom standup stand-up
    thread dm dms message messages lunch dinner breakfast coffee review session conversation discussion person writing
    voice video text note thought consideration deliberation reflection comment comments reply sync retro channel
    kick-off kickoff demo trial trials visit debate comparison`,
  ],
  [Role.Perfect, "has have had"],
  [Role.Be, "is are was were be been being am"],
  [
    Role.Negation,
    `not never no nor neither none nobody don't doesn't didn't hasn't haven't hadn't isn't aren't wasn't weren't won't
    wouldn't can't cannot couldn't shouldn't mustn't dont doesnt didnt hasnt havent hadnt isnt wasnt wont cant without
    hardly barely scarcely rarely seldom almost nearly nothing nowhere neither unlikely
    |no longer|not once|not yet|yet to|far from|close to|about to`,
  ],
  [
    Role.Modal,
    `may might can could should shall will would must ought needs need want wants wanted likes seems seem seemed appears
    appear appeared plans planned plan intends intended hopes hoped expects expected tends tended supposed going
    gets considers considering tries tried refuses fails failed forgot declines try
    |would have|must have|may have|might have|could have|should have|ought to|seems to|appears to`,
  ],
  [
    Role.Hedge,
    `maybe perhaps possibly probably presumably likely supposedly allegedly apparently reportedly theoretically
    hypothetically potentially conceivably ostensibly purportedly hopefully usually often sometimes normally typically
    occasionally generally seemingly falsely wrongly mistakenly`,
  ],
  [
    Role.Condition,
    `if unless whether whenever wherever where lest suppose supposing assuming assume pretend pretending imagine
    imagining
    |in case|in the event|on condition|as long as|so long as|as soon as|by the time|even if|only if|only when|if only
    |on the condition|on the assumption|each time|every time|any time|the moment|as if|as though|what if|except when
    |except if|say that|let's say|depending on|in which case|no matter|such time as`,
  ],
  [
    Role.Before,
    `until till once before when let lets have make making help helps ask asks asking awaits awaiting ensure ensures
    ensuring verify verifies verifying check checks checking confirm confirming assert asserts expect expects hope hopes
    hoping wish wishes guess guesses assume assumes assumed suspect suspects think thinks believe believes believing
    reckon doubt doubts doubted say whatever whichever whoever whenever nor neither or than except unlike like
    see require requires requiring need needs wait waiting validate validates find finds did does do has had is are was
    were will would should shall can could may might must prompt prompts prompted remind reminds want wants
    letting simulate simulates simulating mimic mimics reproduce reproduces detect detects handle handles mean means meaning indicates indicating signifies denotes implies implying signals get gets invite invites enable enables requesting seek seeking
    |make sure|makes sure|making sure|be sure|sure that|unsure that|double check|wait for|waiting for|other than
    |rather than|instead of|apart from|looks like|sounds like|seems like|seems that|up to|remember to have|to have
    |now that if|subject to|pending`,
  ],
  [
    Role.Scenario,
    `study studies scenario scenarios flow flows example examples persona personas usability hypothetical hypothetically
    storyboard wireframe wireframes walkthrough walk-through mockup mock-up simulation simulated e.g eg
    playthrough role-play roleplay screenplay vignette mock mocked dummy fictional fake fixture fixtures funnel playtest
    |user story|user stories|use case|use cases|for example|for instance|happy path|test case|test cases|user journey
    |customer journey|journey map|user test|user tests|a/b test|test plan|acceptance criteria|acceptance criterion
    |user research|edge case|edge cases|test data|sample data|seed data|dummy data`,
  ],
  [
    Role.Stage,
    `demo test tests testing prototype experiment survey interview interviews tutorial onboarding checkout sample
    simulator lab novel game film movie sandbox variant cohort signup sign-up`,
  ],
  [
    Role.Source,
    `docs doc documentation issue issues changelog readme blog article articles wiki manual spec specification rfc faq
    ticket tickets forum post posts guide tutorial vendor support upstream answer answers release newsletter handbook
    textbook paper book website page advisory bug commit pr bulletin press news reddit tracker report reports wikipedia
    reference tweet review reviewer log logs console tooltip error warning plugin sdk api legal google amazon youtube
    |stack overflow|release notes|pull request|help page|help centre|help center|hacker news|mailing list|man page
    |issue tracker|press release|bug report|knowledge base`,
  ],
  [
    Role.Report,
    `says said say states stated claims claimed claim mentions mentioned reports reported notes noted reads read shows
    showed writes wrote describes described explains explained suggests suggested implies implied lists listed argues
    documents documented records recorded indicates indicated announces announced quotes mention state note report
    describe explain suggest indicate imply warn warns`,
  ],
  [
    Role.Contrast,
    "but however yet though although nevertheless nonetheless whereas still |even so|that said|in any case|either way",
  ],
  [
    Role.Function,
    `and that because since so as after while then today here now where which who per when plus meaning hence also
    therefore thus instead both because cause cos if unless whether until till once before or whereby otherwise yes ok
    okay right fyi note nb reminder update edit ps re via though once anyway well
    |so that|given that|now that|in that|and then|such that|due to|thanks to`,
  ],
  [
    Role.Preposition,
    `to from with for of by about at on in into onto near against between via behind toward towards over under during
    through within after before since per inside outside across upon amid despite until along among around
    |according to|on behalf of|as for|next to|because of|due to|thanks to|in front of|in line with|in accordance with|in keeping with|in agreement with`,
  ],
  [
    Role.Field,
    `column columns field fields flag flags attribute attributes property properties key keys table list lists status
    state states event events prompt prompts checkbox checkboxes badge label banner dialog dialogue modal popup screen
    view endpoint webhook callback enum value values variable parameter param metric counter count counts rate rates
    ratio timestamp bit boolean tag tags tab filter row rows cell hook handler token cookie header schema type total
    queue array object record records entry entries index section bucket category dropdown button link step steps
    input output page percentage figure figures number numbers`,
  ],
  [
    Role.Procedure,
    `must should shall will can fires fire emit emits render renders persist persists display displays show shows hide
    hides highlight highlights animate animates redirect redirects dispatch dispatches trigger triggers log logs print
    prints enable enables disable disables toggle prefill prefills submit submits debounce refetch invalidate hydrate
    serialize serializes vibrate vibrates starts start appears appear opens open begins begin runs restores restore
    disappears disappear returns return matches match stores store saves save sends send plays play closes close
    refresh refreshes reload reloads navigate navigates call calls charge charges notify notifies update updates
    schedule schedules happens lands stays resets reset expires increments increment writes reads loads load fetch
    fetches clears clear locks unlocks lock unlock queue queues publish publishes skip skips stop stops fades swap
    receives unmount unmounts mount mounts attach attaches remove removes add adds set sets collapse collapses
    expand expands turns becomes flips switches changes gets goes fills scroll scrolls focus focuses blur`,
  ],
  [
    Role.Doubt,
    `evidence record records write writing state claim proof sign indication trace sure clear true certain case think believe know remember recall
    mean imply say follow found find seen see heard hear confirmation message mention place`,
  ],
  [Role.Wh, "what which how"],
  [
    Role.Other,
    "vip beta alpha ios android reddit twitter pro plus premium free trial root admin super guest api linux mac windows wechat",
  ],
];

/**
 * Words that seem to end like an adverb, or to be a role, and are neither. They block what a guess from their form would
 * let through.
 */
export const ENGLISH_PLAIN =
  "family reply apply supply early daily weekly monthly yearly hourly friendly assembly anomaly italy ally rally bully jelly belly lily fly multiply comply imply rely only ugly silly homely costly lovely lonely lively elderly curly hilly tally folly holy oily poly ply sly july underbelly butterfly firefly doubly";
