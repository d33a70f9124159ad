/** `[pattern, replacement]` as textlint-rule-terminology takes them. docs/glossary.md and CONTRIBUTING.md say why. */
type Term = readonly [pattern: string, replacement: string]

/** A whole word: not a part of a name, a path, or an address. */
const word = (pattern: string, replacement: string): Term => [
  `(?<![-\\w./@#])${pattern}(?![-\\w/(]|\\.\\w)`,
  replacement,
]

/** The beginning of a sentence. The rule puts `xyz ` before a match to replace it. */
const start = '(?<=^|[.!?] |xyz )'

/** Words of docs/glossary.md's last column. */
const glossary: readonly Term[] = [
  word('doors?', 'API'),
  word('e-mail(s|ed|ing)?', 'email$1'),
  word(
    '(?<!(?:capital|small|large|lowercase|uppercase|first|last|two|a|one|Latin|single|of|digits?,?|and|or) )letters?(?! (?:and|or) digits?|, (?:numbers|digits?))',
    'email',
  ),
  word('wish(?:es)?', 'checkout session, or: want'),
  word('wished', 'wanted'),
  word('errands?', 'scenario'),
  word('deeds?', 'action'),
  word('aftermath', 'scheduled job'),
  word('catalogue(s?)', 'catalog$1'),
]

/** Constructions that make a sentence harder to read than subject, verb, object. */
const constructions: readonly Term[] = [
  word('whoever', 'the user who'),
  word('whomever', 'the user whom'),
  word('anew', 'again'),
  word("one[’']s", 'your'),
  word('oneself', 'yourself'),
  word('(?:is|are|was|were|be) told', 'sees, gets, or is notified'),
  word('(?:is|are|was|were) asked', 'is called, or: (somebody) asks'),
  word('can not(?! pass)', "can't"),
  word('somebody who', 'someone who'),
  word('that which', 'what'),
  word('dearer', 'more expensive'),
  word('dearest', 'most expensive'),
  word('mend(s|ed|ing)?', 'fix'),
  [`${start}Meanwhile,?(?= )`, '(say when in the sentence)'],
  [`${start}(?:What|Who) (?:is|was|has|had|may|must|stands|comes|goes) [^.?]*[.](?= |$)`, '(begin with the subject)'],
]

const spellings: readonly Term[] = [
  word('(colour|favour|behaviour|honour|neighbour|labour|flavour|rumour|endeavour)(\\w*)', '(-or)$2'),
  word('(canc|trav|lab|mod|sign|lev|chann|mars?h)(e|a)ll(ed|ing|er)', '$1$2l$3'),
  word(
    '(recogn|organ|normal|initial|serial|author|custom|summar|general|minim|maxim|priorit|synchron|capital|final|real|util|emphas|apolog|categor|formal|visual|local|anonym|randomi?)is(e[sdr]?|ing|ations?)',
    '$1iz$2',
  ),
  word('optimis(e[sd]?|ing|ations?)', 'optimiz$1'),
  word('(analy|paraly)s(e[sd]?|ing)', '$1z$2'),
  word('practis(e[sd]?|ing)', 'practic$1'),
  word('(licen|defen|offen)ce(s?)', '$1se$2'),
  word('programme(s?)', 'program$1'),
  word('(cent|met|fib|lit|theat)re(s|d)?', '$1er$2'),
  word('fulfil(s|ment)?', 'fulfill$1'),
  word('enrol(s|ment)?', 'enroll$1'),
  word('judgement(s?)', 'judgment$1'),
  word('grey(s|ed)?', 'gray$1'),
  word('learnt', 'learned'),
  word('whilst', 'while'),
  word('amongst', 'among'),
  word('artefact(s?)', 'artifact$1'),
]

export const terms: readonly Term[] = [...glossary, ...constructions, ...spellings]
