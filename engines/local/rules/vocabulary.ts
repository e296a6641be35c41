/** Replacements of words, by tone. Each pair fits in nearly every sentence. */
import { aNumber } from './protect.ts';
import { phrasebook, type Replace } from './phrasebook.ts';

/** Shorter words for wordy phrases. Unused for longer texts. */
export const wordy = phrasebook(
  'in order to=to|so as to=to|due to the fact that=because|owing to the fact that=because|in spite of the fact that=although|despite the fact that=although|at this point in time=now|at the present time=now|in the near future=soon|in the event that=if|on a daily basis=every day|on a regular basis=regularly|on a weekly basis=every week|with regard to=about|with respect to=about|in regard to=about|in terms of=in|for the purpose of=for|a large number of=many|a great number of=many|is able to=can|are able to=can|was able to=could|were able to=could|has the ability to=can|prior to=before|subsequent to=after|in close proximity to=near|each and every=every|first and foremost=first|until such time as=until|whether or not=whether|take into consideration=consider|make a decision=decide|end result=result|final outcome=outcome|past history=history|advance planning=planning|free gift=gift|completely free=free|absolutely essential=essential|as a matter of fact=in fact|needless to say=|it goes without saying that=|it should be noted that=|it is important to note that=|please note that=|as you know=|the majority of the=most of the|the majority of people=most people',
);

/** Not after a word that gives the next one its meaning. */
const behindNothing =
  "(?<!(?:not|n['’]t|never|so|how|too|as|the|no|thank you|thanks|yours|that|this|what|every|are you|do you)\\s+)";

/** Filler words; after "not", "so" or "the" they carry meaning. */
const filler = phrasebook(
  'very=|really=|actually=|basically=|literally=|honestly=|simply=|totally=|extremely=|incredibly=|truly=|very much=very much|very best=very best',
  behindNothing,
);
/** After an article, the filler is before an adjective. */
const fillerBehindArticle = phrasebook('very=|really=|extremely=|incredibly=|truly=', '(?<=(?<!\\p{L})an?\\s+)');
export const trimmed: Replace = (text) => filler(fillerBehindArticle(text));

export const stronger = phrasebook(
  'very good=excellent|really good=excellent|very big=huge|very large=huge|very small=tiny|very tired=exhausted|very happy=delighted|very important=essential|very beautiful=stunning|very fast=rapid|very old=ancient|very cold=freezing|very hungry=starving|very difficult=tough|very easy=effortless',
  behindNothing,
);

/** Courtesies that a short text does not need. */
export const curt = phrasebook(
  "please do not hesitate to=please|please don't hesitate to=please|please feel free to=please|i wanted to inform you that=|i want to inform you that=|i would like to inform you that=|we would like to inform you that=|i am writing to inform you that=|i just wanted to let you know that=|i wanted to let you know that=|i would like to point out that=|i think that=|i believe that=|we are happy to announce that=|we are pleased to announce that=|for your information,=|utilise=use|utilize=use|utilises=uses|utilizes=uses|a different=another|approximately=about|numerous=many|additional=more|assistance=help|purchase=buy|purchased=bought|regarding=about|concerning=about|in addition to=besides|commence=start|commenced=started|sufficient=enough|as well as=and|for example=e.g.|however,=but|therefore,=so|additionally,=also,",
);

export const neutral = phrasebook(
  'begin=start|begins=starts|began=started|purchase a=buy a|purchased=bought|purchasing=buying|buy=purchase|buys=purchases|bought=purchased|utilize=use|utilizes=uses|utilise=use|utilises=uses|obtain=get|obtains=gets|obtained=got|attempt to=try to|attempts to=tries to|attempted to=tried to|tries to=attempts to|tried to=attempted to|assist=help|assists=helps|assisted=helped|discovered=found|shows that=demonstrates that|showed that=demonstrated that|shown that=demonstrated that|ensure that=make sure that|ensures that=makes sure that|make sure that=ensure that|happy to=glad to|glad to=happy to|beautiful=lovely|lovely=beautiful|difficult=hard|easy to=simple to|the whole=the entire|the entire=the whole|strange=odd|famous=well-known|various=different|numerous=many|huge=enormous|enormous=huge|rapid=fast|often=frequently|frequently=often|usually=generally|generally=usually|sometimes=at times|maybe=perhaps|perhaps=maybe|quickly=swiftly|slowly=gradually|currently=now|at the moment=right now|especially=particularly|particularly=especially|mainly=mostly|mostly=mainly|approximately=about|completely=fully|totally=completely|entirely=fully|together with=along with|along with=together with|in addition to=besides|regarding=about|concerning=about|next to=beside|each year=every year|every year=each year|every day=each day|each day=every day|every week=each week|every month=each month|although=even though|even though=although|despite=in spite of|in spite of=despite|as a result=consequently|consequently=as a result|because of=on account of|for example=for instance|for instance=for example|instead of=rather than|rather than=instead of|as well as=along with|a variety of=a range of|a range of=a variety of|a wide range of=a broad choice of|a lot of=plenty of|lots of=plenty of|chance to=opportunity to|opportunity to=chance to|problems=issues|problem=issue|method=approach|methods=approaches|trip=journey|trips=journeys|journey=trip|each other=one another|in total=altogether|therefore=for this reason|is located in=lies in|are located in=lie in|is situated in=lies in|photos=pictures|everybody=everyone|everyone=everybody|nobody=no one|somebody=someone|anybody=anyone|nevertheless=still|afterwards=later|throughout=all through|close to=near|lately=recently|gather=collect|gathers=collects|gathered=collected|rely on=depend on|relies on=depends on|carry out=perform|carried out=performed|delicious=tasty|tasty=delicious|terrible=awful|mistake=error|mistakes=errors|fantastic=superb|amazing=remarkable|incredible=remarkable|awesome=splendid|great=excellent|tell us=let us know|let us know=tell us|kids=children|needs to=has to|above all=most of all|great deal=good deal|great britain=great britain|on the whole=all in all|as a result of=because of|however,=even so,|moreover,=what is more,|furthermore,=besides that,|additionally,=in addition,|in addition,=also,|wonderful=splendid|not often=seldom|dangerous=hazardous|was built=was constructed|were built=were constructed|have become=have turned into|has become=has turned into',
);

export const formal = phrasebook(
  'buy=purchase|buys=purchases|bought=purchased|buying=purchasing|get in touch=make contact|get in touch with=contact|find out=establish|found out=established|ask for=request|asked for=requested|look into=examine|looking into=examining|looked into=examined|set up=establish|put off=postpone|go up=increase|went up=increased|go down=decrease|went down=decreased|talk about=discuss|talked about=discussed|talking about=discussing|think about=consider|thought about=considered|deal with=address|a lot of=a considerable amount of|lots of=a considerable amount of|kids=children|maybe=perhaps|so far=to date|right now=at present|a bit=somewhat|thanks=thank you|hello=good day|want to=wish to|wants to=wishes to|awesome=excellent|great=excellent|amazing=remarkable|really=very|guys=colleagues|stuff=material|ok=acceptable|okay=acceptable|yeah=yes|gonna=going to|wanna=want to|gotta=have to|starts=commences|started=commenced|help with=assist with|tell us=inform us|let us know=inform us|let me know=inform me|asap=as soon as possible|often=frequently|hi=hello|hey=hello|super=highly',
);

export const friendly = phrasebook(
  'purchase=buy|purchases=buys|purchased=bought|purchasing=buying|commence=start|commences=starts|commenced=started|assist=help|assists=helps|assistance=help|obtain=get|obtains=gets|require=need|requires=needs|required=needed|inform=tell|informs=tells|informed=told|inquire=ask|enquire=ask|request that=ask that|regarding=about|concerning=about|prior to=before|dear customer=hi there|dear customers=hi everyone|dear sir or madam=hi there|children=kids|excellent=great|residence=home|utilize=use|utilise=use|numerous=lots of|sufficient=enough|perhaps=maybe|would like to=want to|wish to=want to|contact us=get in touch|do not hesitate to=feel free to|please be advised that=|we regret to inform you that=sorry,|frequently=often|approximately=about|such as=like|attempt to=try to|receive=get|receives=gets|received=got|depart=leave|departs=leaves|upon=on|however,=but|therefore,=so|consequently,=so|additionally,=also,|furthermore,=also,|moreover,=also,',
);

export const simple = phrasebook(
  'utilize=use|utilise=use|utilizes=uses|utilises=uses|utilized=used|utilised=used|commence=start|commences=starts|commenced=started|terminate=end|terminated=ended|purchase=buy|purchased=bought|obtain=get|obtained=got|require=need|requires=needs|required=needed|demonstrate=show|demonstrates=shows|facilitate=ease|facilitates=eases|endeavour=try|endeavor=try|ascertain=find out|subsequently=later|approximately=about|sufficient=enough|numerous=many|additional=more|assistance=help|assist=help|regarding=about|concerning=about|prior to=before|in addition to=besides|implement=carry out|implements=carries out|implemented=carried out|initiate=start|initiated=started|attempt to=try to|possess=have|possesses=has|reside=live|resides=lives|modification=change|modifications=changes|component=part|components=parts|location=place|locations=places|methodology=method|optimal=best|primary=main|principal=main|transmit=send|transmitted=sent|individuals=people|large=big|enormous=huge|frequently=often|immediately=at once|significant=important|substantial=large|fundamental=basic|comprehend=understand|inform=tell|construct=build|constructed=built|construction=building|considerable=large|encounter=meet|encountered=met|in spite of=despite|expedite=speed up|remuneration=pay|expenditure=spending|objectives=goals|however,=but|therefore,=so|consequently,=so|additionally,=also,|furthermore,=also,|moreover,=also,|nevertheless,=still,|selected=picked|select=pick|primary school=primary school|primary schools=primary schools',
);

export const longer = phrasebook(
  'now=at the present time|because=for the reason that|every day=on each and every day|also=in addition to this|often=on frequent occasions|always=at all times|visit=pay a visit to|everywhere=in each and every place|near=in close proximity to|because of=on account of|although=despite the fact that|usually=in most cases|sometimes=on some occasions|currently=at this point in time|to ensure=in order to ensure|daily basis=daily basis',
);

type Rule = readonly [RegExp, string];
const determined = '(?=\\s+(?:the|a|an|your|our|their|its|his|her|my|this|these|those)(?!\\p{L}))';

/** Replacements that fit only next to certain words. */
const besides: readonly Rule[] = [
  [
    /(?<![\p{L}-])([Bb])ig(?=\s+\p{Ll})(?!\s+(?:deal|data|bang|brother|sister|picture|time|screen|cat|cats|toe|business|fan)\b)/gu,
    'large',
  ],
  [/(?<!\p{L})an important(?=\s+\p{Ll})(?!\s+(?:to|that|for)\b)/gu, 'a significant'],
  [/(?<!\p{L})almost(?!\s+(?:no|never|nothing|nobody|none|as)\b)(?=\s)/gu, 'nearly'],
  [new RegExp(`(?<!\\p{L})(?:about|around)(?=\\s${aNumber})`, 'gu'), 'roughly'],
  [
    new RegExp(
      `(?<!\\p{L}|all |came |went |is |are |was |were )over(?=\\s${aNumber})(?!\\s${aNumber}\\s?(?:${aNumber}|,))`,
      'gu',
    ),
    'more than',
  ],
  [/(?<=(?<!\p{L})(?:I|you|we|they|You|We|They)\s)need to(?=\s)/gu, 'have to'],
  [/(?<=(?<!\p{L}|(?:[Dd]o|[Dd]oes|[Dd]id|['’]t)\s)(?:I|you|we|they|You|We|They)\s)want to(?=\s)/gu, 'would like to'],
  [/(?<!\p{L})(?<!(?:how|as|so|too|not|the|of|these|those|very|that)\s)many(?=\s+\p{Ll}+s\b)/gu, 'numerous'],
  [/(?<!\p{L})several(?=\s+\p{Ll}+s\b)/gu, 'a number of'],
  [/(?<!\p{L})allow(s|ed|ing)?(?=\s+(?:you|us|them|him|her|people|users|teams|visitors|guests)\s+to\b)/gu, 'enable$1'],
  [/(?<!\p{L})help(s|ed|ing)?(?=\s+(?:you|us|them|him|her|people|users|teams|students)\s+with\b)/gu, 'assist$1'],
  [/(?<!\p{L})provide(s|d)?(?=\s+(?:a|an|the|more|free|fresh|good|new|better)\b)(?![^.;]*\bwith\b)/gu, 'offer$1'],
  [new RegExp(`(?<!\\p{L})improve(s|d)?${determined}`, 'gu'), 'enhance$1'],
  [new RegExp(`(?<!\\p{L})choose${determined}`, 'gu'), 'select'],
  [new RegExp(`(?<!\\p{L})chose${determined}`, 'gu'), 'selected'],
  [new RegExp(`(?<!\\p{L})reduce(s|d)?${determined}`, 'gu'), 'lower$1'],
  [new RegExp(`(?<!\\p{L})receive(s|d)${determined}`, 'gu'), 'obtain$1'],
];

export const inContext: Replace = (text) =>
  besides
    .reduce((out, [pattern, words]) => out.replaceAll(pattern, words), text)
    .replaceAll('lowerd', 'lowered')
    .replaceAll('offerd', 'offered')
    .replaceAll('obtaind', 'obtained');
