import { Parser } from 'xml2js'
import { complain, complainOfHtml, type FeedRule, isAbsoluteUrl, isUnique } from './feed-rule.ts'

/** An element as xml2js returns it: `$` has the attributes, `_` the text, everything else lists of children. */
export type Element = { readonly $?: Readonly<Record<string, string>>; readonly _?: string } & {
  readonly [child: string]: readonly Element[] | undefined
}

export type RssDocument = {
  readonly text: string
  readonly rss: Element
  readonly channel: Element
  readonly items: readonly Element[]
  /** The address from which it was read. */
  readonly selfUrl: string
}

/** @throws Error if it isn't well-formed XML. */
export async function parseRss(text: string, selfUrl: string): Promise<RssDocument> {
  const parser = new Parser({ explicitCharkey: true, emptyTag: () => ({}) })
  const { rss } = (await parser.parseStringPromise(text)) as { rss: Element }
  const channel = rss.channel?.[0] ?? {}
  return { text, rss, channel, items: channel.item ?? [], selfUrl }
}

const childrenOf = (element: Element, name: string): readonly Element[] => element[name] ?? []
export const textsOf = (element: Element, name: string): string[] => childrenOf(element, name).map(({ _ = '' }) => _)
const attributesOf = (element: Element, name: string, attribute: string): (string | undefined)[] =>
  childrenOf(element, name).map(({ $ }) => $?.[attribute])
const ofItems = ({ items }: RssDocument, read: (item: Element) => readonly unknown[]) => items.flatMap(read)
const exactlyOne = (element: Element, ...names: string[]): string[] =>
  names.flatMap((name) => {
    const found = textsOf(element, name)
    return found.length === 1 && found[0]?.trim() ? [] : [`${name}: ${JSON.stringify(found)}`]
  })

/** RFC 822 (5.1) as RSS uses it: with four digits of the year, and a time zone. */
const rfc822 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UT|[+-]\d{4})$/
const mimeType = /^[a-z]+\/[a-z0-9.+-]+$/
const anyItem = '<item>'

/** RSS 2.0 (rssboard.org/rss-specification) and the RSS Advisory Board's best practices (rssboard.org/rss-profile). */
export const rssRules: readonly FeedRule<RssDocument>[] = [
  {
    name: 'is XML 1.0 in UTF-8, without a character that XML forbids (XML 1.0, 2.2)',
    check: ({ text }) => [
      ...(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>') ? [] : ['no declaration']),
      ...complain('character', [...text], (character) => {
        const code = character.codePointAt(0) ?? 0
        return (
          code === 9 ||
          code === 10 ||
          code === 13 ||
          (code >= 32 && code < 0xd800) ||
          (code > 0xdfff && code < 0xfffe) ||
          code > 0xffff
        )
      }),
    ],
    violate: (text) => text.replace('<description>', '<description>\u000b'),
  },
  {
    name: 'is RSS 2.0 with one channel (required elements)',
    check: ({ rss }) => [
      ...complain('version', [rss.$?.version], (version) => version === '2.0'),
      ...(rss.channel?.length === 1 ? [] : ['channels']),
    ],
    violate: (text) => text.replace('version="2.0"', 'version="0.92"'),
  },
  {
    name: 'has a title, a link, and a description of the channel (required channel elements)',
    check: ({ channel }) => exactlyOne(channel, 'title', 'link', 'description'),
    violate: (text) => text.replace(/<description>[^<]*<\/description>/, ''),
  },
  {
    name: 'declares each namespace that it uses (Namespaces in XML 1.0, 3)',
    check: ({ text, rss }) => {
      const used = [...text.matchAll(/<([a-z]+):/g)].map(([, prefix]) => `xmlns:${prefix}`)
      return used.filter((name) => !rss.$?.[name])
    },
    violate: (text) => text.replace(/ xmlns:dc="[^"]*"/, '').replace(anyItem, '<item><dc:date>today</dc:date>'),
  },
  {
    name: 'has absolute links only (RSS Advisory Board, link)',
    check: (document) =>
      complain(
        'link',
        [
          ...textsOf(document.channel, 'link'),
          ...ofItems(document, (item) => textsOf(item, 'link')),
          ...ofItems(document, (item) => attributesOf(item, 'enclosure', 'url')),
        ],
        isAbsoluteUrl,
      ),
    violate: (text) => text.replace(/<link>[^<]*/, '<link>/profile/noor'),
  },
  {
    name: 'links to itself (RSS Advisory Board, atom:link)',
    check: ({ channel, selfUrl }) => {
      const links = channel['atom:link'] ?? []
      const wanted = { href: selfUrl, rel: 'self', type: 'application/rss+xml' }
      return links.some(({ $ }) => JSON.stringify($) === JSON.stringify(wanted)) ? [] : [JSON.stringify(links)]
    },
    violate: (text) => text.replace('rel="self"', 'rel="alternate"'),
  },
  {
    name: 'has dates of RFC 822 with four digits of the year (pubDate)',
    check: (document) =>
      complain(
        'date',
        [...textsOf(document.channel, 'pubDate'), ...ofItems(document, (item) => textsOf(item, 'pubDate'))],
        (date) => rfc822.test(date) && !Number.isNaN(Date.parse(date)),
      ),
    violate: (text) => text.replace(/<pubDate>[^<]*/, '<pubDate>2026-11-27T05:02:19Z'),
  },
  {
    name: 'gives how long it may be kept as a number of minutes (ttl)',
    check: ({ channel }) => complain('ttl', textsOf(channel, 'ttl'), (ttl) => /^[1-9]\d*$/.test(ttl)),
    violate: (text) => text.replace(/<ttl>/, '<ttl>-'),
  },
  {
    name: 'has a picture with its address, and the title and link of the channel (image)',
    check: ({ channel }) =>
      (channel.image ?? []).flatMap((image) => [
        ...complain('url', textsOf(image, 'url'), isAbsoluteUrl),
        ...(['title', 'link'] as const).filter((name) => textsOf(image, name)[0] !== textsOf(channel, name)[0]),
      ]),
    violate: (text) => text.replace(/<image>.*?<\/image>/, '<image><url>a.webp</url></image>'),
  },
  {
    name: 'has a title or a description of each item (elements of item)',
    check: ({ items }) =>
      items
        .filter((item) => ![...textsOf(item, 'title'), ...textsOf(item, 'description')].some((text) => text.trim()))
        .map((item) => JSON.stringify(item)),
    violate: (text) => text.replace(anyItem, '<item></item><item>'),
  },
  {
    name: 'identifies each item once, with what isn’t an address and says so (guid)',
    check: (document) => {
      const ids = ofItems(document, (item) => textsOf(item, 'guid'))
      return [
        ...(isUnique(ids) && ids.length === document.items.length ? [] : [JSON.stringify(ids)]),
        ...complain('id', ids, (id) => id.trim() !== ''),
        ...complain(
          'isPermaLink',
          ofItems(document, (item) => attributesOf(item, 'guid', 'isPermaLink')),
          (value) => value === 'false',
        ),
      ]
    },
    violate: (text) => text.replace(anyItem, '<item><title>Twice</title></item><item>'),
  },
  {
    name: 'names authors in dc:creator, because author has to be an email address (author)',
    check: (document) => [
      ...complain(
        'author',
        ofItems(document, (item) => textsOf(item, 'author')),
        (author) => author.includes('@'),
      ),
      ...document.items.flatMap((item) => exactlyOne(item, 'dc:creator')),
    ],
    violate: (text) => text.replace(anyItem, '<item><author>Noor</author>'),
  },
  {
    name: 'has at most one enclosure of an item, with address, length in bytes, and type (enclosure)',
    check: (document) => [
      ...document.items.filter(({ enclosure = [] }) => enclosure.length > 1).map(() => 'several'),
      ...complain(
        'length',
        ofItems(document, (item) => attributesOf(item, 'enclosure', 'length')),
        (length) => /^[1-9]\d*$/.test(length),
      ),
      ...complain(
        'type',
        ofItems(document, (item) => attributesOf(item, 'enclosure', 'type')),
        (type) => mimeType.test(type),
      ),
    ],
    violate: (text) => text.replace(anyItem, '<item><enclosure url="https://a.example/b" type="audio/mpeg" />'),
  },
  {
    name: 'has HTML in content:encoded that texts bring nothing into, with absolute addresses (RSS Advisory Board, content:encoded)',
    check: (document) =>
      ofItems(document, (item) => textsOf(item, 'content:encoded')).flatMap((html) => complainOfHtml(String(html))),
    violate: (text) => text.replace('<content:encoded>', '<content:encoded>&lt;img src="/x" onerror="alert(1)"&gt;'),
  },
  {
    name: 'lists the newest item first',
    check: (document) => {
      const times = ofItems(document, (item) => textsOf(item, 'pubDate')).map((date) => Date.parse(String(date)))
      return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0)) ? [] : [times.join()]
    },
    violate: (text) => text.replace(/(<item>(?:(?!<item>).)*<pubDate>)[^<]*/s, '$1Sat, 01 Jan 2000 00:00:00 GMT'),
  },
]

/** Of private feeds: Apple's RSS tags (podcasters.apple.com, "RSS feed sample") and the podcast namespace (podcastindex.org/namespace/1.0). */
export const podcastRules: readonly FeedRule<RssDocument>[] = [
  {
    name: 'declares the namespaces of podcasts',
    check: ({ rss }) => [
      ...complain('itunes', [rss.$?.['xmlns:itunes']], (name) => name === 'http://www.itunes.com/dtds/podcast-1.0.dtd'),
      ...complain('podcast', [rss.$?.['xmlns:podcast']], (name) => name === 'https://podcastindex.org/namespace/1.0'),
    ],
    violate: (text) => text.replace('podcast-1.0.dtd', 'podcast-2.0.dtd'),
  },
  {
    name: 'is locked, so that no other host imports it (podcast:locked)',
    check: ({ channel }) => complain('locked', [textsOf(channel, 'podcast:locked')[0]], (locked) => locked === 'yes'),
    violate: (text) => text.replace('<podcast:locked>yes', '<podcast:locked>no'),
  },
  {
    name: 'is in no directory (itunes:block, podcast:block)',
    check: ({ channel }) => [
      ...complain('itunes', [textsOf(channel, 'itunes:block')[0]], (block) => block === 'Yes'),
      ...complain('podcast', [textsOf(channel, 'podcast:block')[0]], (block) => block === 'yes'),
    ],
    violate: (text) => text.replace('<itunes:block>Yes', '<itunes:block>true'),
  },
  {
    name: 'has the UUID of version 5 of a podcast (podcast:guid)',
    check: ({ channel }) =>
      complain('guid', [textsOf(channel, 'podcast:guid')[0]], (guid) =>
        /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(guid),
      ),
    violate: (text) => text.replace(/<podcast:guid>[^<]*/, '<podcast:guid>noor'),
  },
  {
    name: 'names its author, and has a picture at an absolute address (itunes:author, itunes:image)',
    check: ({ channel }) => [
      ...exactlyOne(channel, 'itunes:author'),
      ...complain('image', attributesOf(channel, 'itunes:image', 'href'), isAbsoluteUrl),
    ],
    violate: (text) => text.replace(/<itunes:author>[^<]*/, '<itunes:author>'),
  },
  {
    name: 'has a title of each episode (title)',
    check: ({ items }) => items.flatMap((item) => exactlyOne(item, 'title')),
    violate: (text) => text.replace(/(<item>)<title>[^<]*<\/title>/, '$1'),
  },
  {
    name: 'gives the length of an episode in whole seconds (itunes:duration)',
    check: (document) =>
      complain(
        'duration',
        ofItems(document, (item) => textsOf(item, 'itunes:duration')),
        (seconds) => /^\d+$/.test(seconds),
      ),
    violate: (text) => text.replace(anyItem, '<item><itunes:duration>61.5</itunes:duration>'),
  },
]
