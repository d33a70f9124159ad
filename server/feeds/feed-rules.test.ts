import { describe, expect, it } from 'vitest'
import { composePausedFeed, composePrivateFeed, composePublicFeed, encodePath } from './compose-feed.ts'
import type { Feed } from './feed.ts'
import type { CreatorRow, FileRow, PostRow } from './queries.ts'
import { renderFeed } from './render-feed.ts'
import { jsonFeedRules, parseJsonFeed } from './testing/json-feed-rules.ts'
import { parseRss, podcastRules, rssRules, textsOf } from './testing/rss-rules.ts'

/**
 * The rules of RSS 2.0, JSON Feed 1.1, and podcasts (RSS-01, RSS-02), each as a check (`testing/`), against feeds with texts that are hard to
 * write down. Each check also has to notice a feed that breaks its rule.
 */
const siteUrl = 'https://creators.example'
const site = { siteUrl, filesUrl: siteUrl, productName: 'Ovation & <Co>' }
const guid = '1b9f0a52-7c1e-5d3a-9a0b-6a1f0e5d4c3b'
const forbidden = '\u0001\u000b\u001f\ufffe\uffff\ud83d'
const family = '\u{1F469}\u200d\u{1F469}\u200d\u{1F467}\u200d\u{1F466}'
const rightToLeft = '\u202eنور\u202c \u200fمرحبا'

const creator: CreatorRow = {
  id: '00000000-0000-4000-8000-0000000000c1',
  username: 'noor-_1',
  name: `<b>Noor</b> & "Söhne" ${family} ${rightToLeft} ]]>${forbidden}`,
  bio: `Fotos & <em>Filme</em>${forbidden}\r\n"zwei" Zeilen ${rightToLeft}`,
  avatar_url: 'https://old.example/storage/v1/object/public/avatars/u/a b"<.webp',
  is_private: false,
  updated_at: new Date('2026-11-01T00:00:00Z'),
}
let posts = 0
function buildPost(over: Partial<PostRow> = {}): PostRow {
  posts += 1
  return {
    id: `00000000-0000-4000-8000-${String(posts).padStart(12, '0')}`,
    title: 'A title',
    content: 'Words.',
    ppv_price: null,
    is_locked: false,
    media_urls: [],
    media_types: [],
    media_previews: [],
    cover_path: null,
    created_at: new Date(Date.UTC(2026, 10, 27, 5, 0, 0) - posts * 3_600_000),
    ...over,
  }
}
const film = 'u/f1/a film & "sound".mp4'
const sound = "u/f1/it's <one>.m4a"
const picture = 'u/f1/ä picture?#.jpg'
const hard: readonly PostRow[] = [
  buildPost({ title: `<script>alert("1")</script> & ${family}`, content: `${'x'.repeat(4_990)} & <last>` }),
  buildPost({ title: rightToLeft, content: `${rightToLeft}\r\n\r\n<p>مرحبا</p>\n${forbidden}` }),
  buildPost({ title: null, content: `${family.repeat(60)} and more` }),
  buildPost({ title: null, content: '', media_urls: [picture], media_types: ['image'] }),
  buildPost({ title: `${forbidden}\n`, content: `${forbidden}\n \n` }),
  buildPost({ content: ']]> <![CDATA[ &amp; &#0; <!-- --> <?xml?> {{x}} $& $1 %00 \\u0000' }),
  buildPost({
    media_urls: [picture, film, sound],
    media_types: ['image', 'video', 'audio'],
    media_previews: [{}, { duration: 61.4 }, { duration: 3599.6 }],
  }),
  buildPost({ title: 'For subscribers', content: 'The beginning & <i>', is_locked: true, cover_path: 'u/c 1.webp' }),
  buildPost({ title: null, content: '', is_locked: true, ppv_price: 123_456, media_types: ['video'] }),
]
const files: readonly FileRow[] = [
  { name: film, mime_type: 'video/mp4', bytes: 1_073_741_824 },
  { name: sound, mime_type: 'audio/mp4', bytes: 7 },
]
const sources = (of: readonly PostRow[]) => ({
  creator,
  posts: of,
  files,
  linkTo: (path: string) => `${site.siteUrl}/storage/v1/object/posts/${encodePath(path)}?token=a&b='c'`,
})
const feeds: Readonly<Record<string, Feed>> = {
  'a public feed': composePublicFeed(sources(hard), site),
  'a private feed': composePrivateFeed(sources(hard.filter(({ is_locked }) => !is_locked)), site, guid),
  'a paused feed': composePausedFeed(creator, new Date('2026-11-27T05:02:19.123Z'), site, guid),
  'a feed without posts': composePublicFeed(sources([]), site),
  'a creator without texts and picture': composePublicFeed(
    { ...sources([buildPost()]), creator: { ...creator, name: 'noor', bio: '  ', avatar_url: 'javascript:alert(1)' } },
    site,
  ),
}
const names = Object.keys(feeds)
const [hardest = '', personal = ''] = names
const rss = (name: string) => {
  const selfUrl = `${site.siteUrl}/feeds/a.xml?x=1&y=2`
  const text = renderFeed(feeds[name] as Feed, 'xml', selfUrl)
  return { text, read: (changed = text) => parseRss(changed, selfUrl) }
}
const json = (name: string) => {
  const selfUrl = `${site.siteUrl}/feeds/a.json`
  const text = renderFeed(feeds[name] as Feed, 'json', selfUrl)
  return { text, read: (changed = text) => parseJsonFeed(changed, selfUrl) }
}

describe.each(names)('%s', (name) => {
  it.each(rssRules)('as RSS 2.0 $name [RSS-01, RSS-02]', async ({ check }) => {
    expect(check(await rss(name).read())).toEqual([])
  })
  it.each(jsonFeedRules)('as JSON Feed 1.1 $name [RSS-01, RSS-02]', ({ check }) => {
    expect(check(json(name).read())).toEqual([])
  })
})

describe.each(names.filter((name) => feeds[name]?.personal))('%s', (name) => {
  it.each(podcastRules)('as a podcast $name [RSS-02]', async ({ check }) => {
    expect(check(await rss(name).read())).toEqual([])
  })
})

describe('the checks', () => {
  it.each(rssRules)('notice RSS that breaks a rule: $name', async ({ check, violate }) => {
    const { text, read } = rss(hardest)
    const broken = violate(text)
    expect(broken).not.toBe(text)
    expect(check(await read(broken))).not.toEqual([])
  })
  it.each(podcastRules)('notice a podcast that breaks a rule: $name', async ({ check, violate }) => {
    const { text, read } = rss(personal)
    const broken = violate(text)
    expect(broken).not.toBe(text)
    expect(check(await read(broken))).not.toEqual([])
  })
  it.each(jsonFeedRules)('notice a JSON feed that breaks a rule: $name', ({ check, violate }) => {
    const { text, read } = json(hardest)
    const broken = violate(text)
    expect(broken).not.toBe(text)
    expect(check(read(broken))).not.toEqual([])
  })
})

describe('a feed', () => {
  it('has texts exactly as they were written, without what XML forbids [RSS-01]', async () => {
    const { channel, items } = await rss(hardest).read()
    expect(textsOf(channel, 'title')).toEqual([`<b>Noor</b> & "Söhne" ${family} ${rightToLeft} ]]>`])
    expect(textsOf(channel, 'description')).toEqual([`Fotos & <em>Filme</em>\n"zwei" Zeilen ${rightToLeft}`])
    expect(items.map((item) => textsOf(item, 'title')[0])).toEqual([
      `<script>alert("1")</script> & ${family}`,
      rightToLeft,
      expect.stringMatching(/^\P{Surrogate}+…$/u),
      `Post by <b>Noor</b> & "Söhne" ${family} ${rightToLeft} ]]>`,
      `Post by <b>Noor</b> & "Söhne" ${family} ${rightToLeft} ]]>`,
      'A title',
      'A title',
      'For subscribers',
      `Post by <b>Noor</b> & "Söhne" ${family} ${rightToLeft} ]]>`,
    ])
  })

  it('has public posts in full, as escaped paragraphs with their pictures [RSS-01]', () => {
    const html = json(hardest)
      .read()
      .feed.items.map(({ content_html }) => content_html)
    expect(html[0]).toBe(`<p dir="auto">${'x'.repeat(4_990)} &amp; &lt;last&gt;</p>`)
    expect(html[1]).toBe(`<p dir="auto">${rightToLeft}</p>\n<p dir="auto">&lt;p&gt;مرحبا&lt;/p&gt;</p>`)
    expect(html[4]).toBe('')
    expect(html[6]).toMatch(
      /^<p dir="auto">Words\.<\/p>\n<p><img src="[^"]*%C3%A4%20picture%3F%23\.jpg[^"]*" alt="" \/><\/p>$/,
    )
  })

  it('has locked posts as teasers: the beginning, the free cover, and what unlocks them [RSS-01]', () => {
    const { items } = json(hardest).read().feed
    const [forSubscribers, forSale] = items.slice(-2)
    expect(forSubscribers?.content_html).toBe(
      [
        '<p dir="auto">The beginning &amp; &lt;i&gt;…</p>',
        `<p><img src="${site.siteUrl}/storage/v1/object/public/covers/u/c%201.webp" alt="" /></p>`,
        `<p><a href="${forSubscribers?.url}">Subscribe to &lt;b&gt;Noor&lt;/b&gt; &amp; &quot;Söhne&quot; ${family} ${rightToLeft} ]]&gt; to see the rest.</a></p>`,
      ].join('\n'),
    )
    expect(forSale?.content_html).toBe(`<p><a href="${forSale?.url}">Unlock this post for $1,234.56.</a></p>`)
  })

  it('has the first film or sound as the enclosure of an episode, and all of them in JSON [RSS-02]', async () => {
    const { items } = await rss(personal).read()
    const episodes = items.filter(({ enclosure }) => enclosure)
    expect(episodes.map(({ enclosure }) => enclosure?.[0]?.$)).toEqual([
      {
        url: `${site.siteUrl}/storage/v1/object/posts/u/f1/a%20film%20%26%20%22sound%22.mp4?token=a&b='c'`,
        length: '1073741824',
        type: 'video/mp4',
      },
    ])
    expect(episodes.flatMap((item) => textsOf(item, 'itunes:duration'))).toEqual(['61'])
    const attachments = json(personal)
      .read()
      .feed.items.flatMap((item) => item.attachments ?? [])
    expect(attachments).toMatchObject([
      { mime_type: 'video/mp4', size_in_bytes: 1_073_741_824, duration_in_seconds: 61.4 },
      { mime_type: 'audio/mp4', size_in_bytes: 7, duration_in_seconds: 3599.6 },
    ])
  })

  it('shows only pictures of this site as the creator’s [RSS-01]', () => {
    const icon = (name: string) => json(name).read().feed.icon
    expect(icon(hardest)).toBe(`${site.siteUrl}/storage/v1/object/public/avatars/u/a%20b%22%3C.webp`)
    expect(icon('a creator without texts and picture')).toBeUndefined()
  })

  it('keeps the newest of many long posts, up to a size that readers accept [RSS-01]', () => {
    const long = Array.from({ length: 50 }, () => buildPost({ content: '&'.repeat(10_000) }))
    const { items } = composePublicFeed(sources(long), site)
    expect(items.length).toBeGreaterThanOrEqual(9)
    expect(items.length).toBeLessThan(50)
    expect(items.map(({ id }) => id)).toEqual(long.slice(0, items.length).map(({ id }) => `urn:uuid:${id}`))
    expect(renderFeed(composePublicFeed(sources(long), site), 'xml', site.siteUrl).length).toBeLessThan(1_500_000)
  })

  it('says in one entry that it is paused, and how to go on, and is another entry each time [RSS-02]', () => {
    const { items } = json('a paused feed').read().feed
    expect(items).toMatchObject([
      { title: 'This feed is paused', content_html: expect.stringContaining('renew the address') },
    ])
    const later = composePausedFeed(creator, new Date('2026-12-01T00:00:00Z'), site, guid)
    expect(later.items[0]?.id).not.toBe(items[0]?.id)
  })
})
