import { screens } from '@ovation/contract/screens'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anonymous } from '../postgres/caller.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { onePixel } from '../testing/one-pixel.ts'
import { buildAdmin } from '../testing/people.ts'
import { buildHeadReader, readHead } from './read-head.ts'
import { siteOf } from './site.ts'
import { buildPlan, buildPost, buildProduct, buildSeller } from './testing/creators.ts'
import { writeHead } from './write-head.ts'

const site = 'https://ovation.example'
let gateway: TestGateway
let mara: Person
beforeAll(async () => {
  gateway = await startGateway({ env: { SITE_URL: site } })
  mara = await buildSeller(gateway, 'mara')
  await mara.client
    .from('profiles')
    .update({ display_name: 'Mara Lindqvist', bio: 'Landscapes on slow film.', website_url: 'https://mara.example/' })
    .eq('id', mara.profileId)
    .throwOnError()
})
afterAll(() => gateway?.close())

const head = (path: string) => readHead(gateway.services.database.as(anonymous), path, siteOf(gateway.services))
/** The nodes of its JSON-LD. */
const nodes = async (path: string) => {
  const { data } = await head(path)
  return (JSON.parse(JSON.stringify(data)) as { '@graph': Record<string, unknown>[] })['@graph']
}
const isListed = async (path: string) => (await head(path)).isIndexed

describe('the head of a profile', () => {
  it('names the sites of the creator: all with rel="me", and the website and verified ones as the same person [FIND-02]', async () => {
    const creator = await buildSeller(gateway)
    const sites = ['https://one.example/', 'https://two.example/']
    const links = sites.map((url, index) => ({ label: `Site ${index}`, url }))
    await creator.client.rpc('set_profile_links', { links }).throwOnError()
    await gateway.query('update public.profile_links set verified_at = now() where url = $1 and creator_id = $2', [
      sites[1],
      creator.profileId,
    ])
    const path = `/profile/${creator.username}`
    const own = (await head(path)).links?.filter(({ rel }) => rel === 'me')
    expect(own).toEqual(sites.map((href) => ({ rel: 'me', href })))
    expect((await nodes(path))[0]).toMatchObject({ mainEntity: { sameAs: [sites[1]] } })
    const website = 'https://home.example/'
    await creator.client.from('profiles').update({ website_url: website }).eq('id', creator.profileId).throwOnError()
    expect((await nodes(path))[0]).toMatchObject({ mainEntity: { sameAs: [website, sites[1]] } })
  })

  it('has a title, description, canonical address, tags for other sites, feeds, and oEmbed [FIND-02, FIND-03]', async () => {
    expect(await head('/profile/Mara/')).toMatchObject({
      title: 'Mara Lindqvist (@mara) · Ovation',
      description: 'Landscapes on slow film.',
      canonical: `${site}/profile/mara`,
      isIndexed: true,
      meta: {
        'og:type': 'profile',
        'og:site_name': 'Ovation',
        'og:title': 'Mara Lindqvist (@mara)',
        'og:url': `${site}/profile/mara`,
        'og:image': expect.stringMatching(`^${site}/card/profile/mara\\.jpg\\?v=[\\w-]+$`),
        'profile:username': 'mara',
        'twitter:card': 'summary_large_image',
      },
    })
    const { links } = await head('/profile/mara')
    expect(links?.map(({ rel, type, href }) => [rel, type, href])).toEqual([
      ['alternate', 'application/rss+xml', `${site}/profile/mara/feed.xml`],
      ['alternate', 'application/feed+json', `${site}/profile/mara/feed.json`],
      [
        'alternate',
        'application/json+oembed',
        `${site}/oembed?url=${encodeURIComponent(`${site}/profile/mara`)}&format=json`,
      ],
      ['alternate', 'text/xml+oembed', `${site}/oembed?url=${encodeURIComponent(`${site}/profile/mara`)}&format=xml`],
      ['me', undefined, 'https://mara.example/'],
    ])
  })

  it('has one address, whichever link leads to it [FIND-02]', async () => {
    expect((await head(`/profile/${mara.userId}`)).canonical).toBe(`${site}/profile/mara`)
  })

  it('describes the creator and each plan with its price to machines [FIND-02]', async () => {
    const creator = await buildSeller(gateway)
    const path = `/profile/${creator.username}`
    await buildPlan(gateway, creator, 'Print Club', 950)
    expect(await nodes(path)).toMatchObject([
      {
        '@type': 'ProfilePage',
        mainEntity: { '@type': 'Person', alternateName: `@${creator.username}`, url: `${site}${path}` },
      },
      {
        '@type': 'Product',
        name: 'Print Club',
        offers: {
          price: '9.50',
          priceCurrency: 'USD',
          url: `${site}${path}?tab=subscribe`,
          priceSpecification: { billingDuration: 1, unitCode: 'MON' },
        },
      },
    ])
  })
})

describe('the head of a post', () => {
  it('describes a free post with its picture [FIND-02]', async () => {
    const id = await buildPost(gateway, mara, { title: 'First light', content: 'Fog over the harbor', picture: true })
    const image = expect.stringContaining(`${site}/storage/v1/render/image/authenticated/posts/${mara.userId}/`)
    expect(await head(`/post/${id}`)).toMatchObject({
      title: 'First light by Mara Lindqvist · Ovation',
      description: 'Fog over the harbor',
      canonical: `${site}/post/${id}`,
      meta: {
        'og:type': 'article',
        'og:image': expect.stringContaining(`${site}/card/post/${id}.jpg?v=`),
        'twitter:card': 'summary_large_image',
      },
    })
    expect(await nodes(`/post/${id}`)).toMatchObject([
      {
        '@type': 'SocialMediaPosting',
        headline: 'First light by Mara Lindqvist',
        text: 'Fog over the harbor',
        isAccessibleForFree: true,
        author: { name: 'Mara Lindqvist', url: `${site}/profile/mara` },
        image,
      },
    ])
  })

  it('describes a video with its poster, length, and file [FIND-02]', async () => {
    const id = await buildPost(gateway, mara, { title: 'Waves' })
    await gateway.query(
      `update private.posts set media_urls = '{mara/waves.mp4}', media_types = '{video}',
         media_previews = '[{"width": 1280, "height": 720, "duration": 61.4}]' where id = $1`,
      [id],
    )
    expect(await nodes(`/post/${id}`)).toMatchObject([
      {
        video: [
          {
            '@type': 'VideoObject',
            name: 'Waves by Mara Lindqvist',
            duration: 'PT61S',
            thumbnailUrl: `${site}/storage/v1/render/image/authenticated/posts/mara/waves.mp4?width=1200`,
            contentUrl: `${site}/storage/v1/object/posts/mara/waves.mp4`,
          },
        ],
      },
    ])
  })

  it.each(['price', 'plan'])(
    'shows of a post for a %s its beginning and what it costs, and no file [FIND-02, FIND-04]',
    async (kind) => {
      const planId = kind === 'plan' ? await buildPlan(gateway, mara, 'Print Club', 900) : undefined
      const content = `${'open words '.repeat(10).slice(0, 100)}secret words`
      const id = await buildPost(gateway, mara, { content, picture: true, planId, price: planId ? undefined : 500 })
      const written = writeHead(await head(`/post/${id}`))
      expect(written).toContain('open words')
      expect(written).not.toContain('secret')
      expect(written).not.toContain(mara.userId)
      expect(await nodes(`/post/${id}`)).toMatchObject([
        { isAccessibleForFree: false, offers: { price: planId ? '9.00' : '5.00', priceCurrency: 'USD' } },
      ])
    },
  )

  it('is called differently for each post [FIND-02]', async () => {
    const [one, two] = [
      await buildPost(gateway, mara, { content: 'Fog over the harbor' }),
      await buildPost(gateway, mara, { content: 'Snow over the harbor' }),
    ]
    expect((await head(`/post/${one}`)).title).toBe('Mara Lindqvist: Fog over the harbor · Ovation')
    expect((await head(`/post/${two}`)).title).toBe('Mara Lindqvist: Snow over the harbor · Ovation')
  })
})

describe('the head of a product', () => {
  it('describes what it is, what it costs, and whether it can be bought [FIND-02]', async () => {
    const cover = `${mara.userId}/harbor cover`
    const id = await buildProduct(gateway, mara, { title: 'Harbor presets', cents: 1250, cover })
    const path = `/product/${id}`
    const image = `${site}/storage/v1/render/image/public/covers/${mara.userId}/harbor%20cover?width=1200`
    expect(await head(path)).toMatchObject({
      title: 'Harbor presets by Mara Lindqvist · Ovation',
      description: 'Twelve looks for fog',
      canonical: `${site}${path}`,
      isIndexed: true,
      meta: {
        'og:type': 'product',
        'og:image': expect.stringContaining(`${site}/card/product/${id}.jpg?v=`),
        'product:brand': 'Mara Lindqvist',
        'product:availability': 'in stock',
        'product:price:amount': '12.50',
        'product:price:currency': 'USD',
      },
    })
    expect(writeHead(await head(path))).toContain('<meta property="product:price:amount" content="12.50" />')
    expect(await nodes(path)).toEqual([
      {
        '@type': 'Product',
        '@id': `${site}${path}`,
        url: `${site}${path}`,
        name: 'Harbor presets',
        description: 'Twelve looks for fog',
        image,
        sku: id,
        brand: { '@type': 'Brand', name: 'Mara Lindqvist' },
        offers: {
          '@type': 'Offer',
          price: '12.50',
          priceCurrency: 'USD',
          availability: 'https://schema.org/InStock',
          url: `${site}${path}`,
          seller: { '@type': 'Person', name: 'Mara Lindqvist', url: `${site}/profile/mara` },
        },
      },
    ])
  })

  it('says that fans may pay more, and that none is left [FIND-02]', async () => {
    const id = await buildProduct(gateway, mara, { cents: 500, takesMore: true, stock: 1 })
    const path = `/product/${id}`
    expect((await nodes(path))[0]).toMatchObject({
      offers: { price: '5.00', priceSpecification: { minPrice: '5.00', priceCurrency: 'USD' } },
    })
    const fan = await gateway.signUp()
    await gateway.query(
      'insert into public.product_purchases (buyer_id, product_id, known_version) values ($1, $2, 1)',
      [fan.profileId, id],
    )
    expect((await nodes(path))[0]).toMatchObject({ offers: { availability: 'https://schema.org/SoldOut' } })
    expect((await head(path)).meta).toMatchObject({ 'product:availability': 'out of stock' })
  })

  it('has nothing of a file but its format, and nothing of a product that is not for sale [FIND-04]', async () => {
    const id = await buildProduct(gateway, mara)
    expect(writeHead(await head(`/product/${id}`))).not.toContain('SECRET')
    for (const status of ['draft', 'archived'])
      expect(await head(`/product/${await buildProduct(gateway, mara, { status })}`)).toEqual({
        title: 'Ovation',
        isIndexed: false,
      })
  })
})

describe('the head of other screens', () => {
  it('is listed for the screens that every visitor sees, each with its own title and address [FIND-02]', async () => {
    const fixed = screens.filter(({ isPublic, canonical, pattern }) => isPublic && !pattern.includes(':') && !canonical)
    const heads = await Promise.all(fixed.map(({ pattern }) => head(pattern)))
    expect(heads.map(({ canonical }) => canonical)).toEqual(fixed.map(({ pattern }) => `${site}${pattern}`))
    expect(heads.every(({ isIndexed, description }) => isIndexed && description)).toBe(true)
    expect(new Set(heads.map(({ title }) => title)).size).toBe(fixed.length)
    expect(new Set(heads.map(({ description }) => description)).size).toBe(fixed.length)
    expect(await head('/auth')).toEqual(await head('/'))
  })

  it('is noindex for screens of signed-in users, search results, and unknown paths [FIND-02]', async () => {
    const unlisted = screens.filter(({ isPublic }) => !isPublic).map(({ pattern }) => pattern)
    for (const path of [...unlisted, '/no/such/screen', '/profile', '/profile/%6dara', '/post/1'])
      expect(await head(path), path).toEqual({ title: 'Ovation', isIndexed: false })
  })
})

describe("the head of a tag's page", () => {
  it('is listed once a visitor finds a post there, under one address, and only if its creator wants that [TALK-01, FIND-02]', async () => {
    const creator = await buildSeller(gateway)
    expect(await head('/tag/harbor')).toEqual({ title: 'Ovation', isIndexed: false })
    await buildPost(gateway, creator, { content: 'Boats. #Harbor' })
    await buildPost(gateway, creator, { content: `${'Locked '.repeat(20)} #hidden`, price: 500 })
    for (const path of ['/tag/harbor', '/tag/Harbor/'])
      expect(await head(path)).toMatchObject({
        title: '#harbor · Ovation',
        canonical: `${site}/tag/harbor`,
        isIndexed: true,
      })
    for (const path of ['/tag/hidden', '/tag/%E0%A4%A', '/tag/no-tag', '/tag/%00'])
      expect(await isListed(path), path).toBe(false)
    await gateway.query('update private.profiles set is_indexed = false where id = $1', [creator.profileId])
    expect(await isListed('/tag/harbor')).toBe(false)
  })
})

describe('the head of the front page', () => {
  const set = async (settings: Record<string, unknown> = {}) =>
    (await buildAdmin(gateway)).client.rpc('set_front_page', settings).throwOnError()

  it('has the operator’s words and picture, and the product’s own without them [FIND-06, FIND-02]', async () => {
    const own = await head('/')
    expect(own).toMatchObject({
      title: 'Ovation: The work you love, straight from the people who make it',
      meta: { 'og:image': `${site}/icon-512.png`, 'twitter:card': 'summary' },
    })
    const admin = await buildAdmin(gateway)
    const path = 'picture/a tram.png'
    const { error } = await admin.client.storage.from('front-page').upload(path, onePixel, { contentType: 'image/png' })
    expect(error).toBeNull()
    await set({
      headline: 'Photos from Lisbon.',
      message: 'Seven artists.\nOne city.',
      picture_path: path,
      picture_alt: 'A tram',
    })
    for (const address of ['/', '/auth'])
      expect(await head(address)).toMatchObject({
        title: 'Ovation: Photos from Lisbon',
        description: 'Seven artists. One city.',
        canonical: `${site}/`,
        isIndexed: true,
        meta: {
          'og:title': 'Ovation: Photos from Lisbon',
          'og:description': 'Seven artists. One city.',
          'og:image': `${site}/storage/v1/render/image/public/front-page/picture/a%20tram.png?width=1200&height=630`,
          'og:image:alt': 'A tram',
          'twitter:card': 'summary_large_image',
        },
      })
    await set()
    expect(await head('/')).toEqual(own)
  })

  it('can’t be left by markup, and isn’t turned around by marks [FIND-06]', async () => {
    await set({ headline: '</title><script>a</script>\u202egnp', message: `"><img src=x> ${'b'.repeat(380)}` })
    const written = writeHead(await head('/'))
    expect(written).not.toMatch(/<script>|<img|\u202e/)
    expect(written.match(/<\/title>/g)).toHaveLength(1)
    expect((await head('/')).description?.length).toBeLessThanOrEqual(200)
    // Marks alone are no headline.
    await set({ headline: '\u202e\u200f' })
    expect((await head('/')).title).toMatch(/^Ovation: The work you love/)
    await set()
  })
})

describe('what visitors can’t see', () => {
  const gone = { title: 'Ovation', isIndexed: false }

  it('has the head of an unknown path: private, suspended, and deleted creators, and their posts and products [FIND-02]', async () => {
    const admin = await buildAdmin(gateway)
    const leave: ((person: Person) => PromiseLike<unknown>)[] = [
      ({ client, profileId }) =>
        client
          .from('user_settings')
          .update({ privacy: { profileVisibility: 'private' } })
          .eq('user_id', profileId)
          .throwOnError(),
      ({ profileId }) => admin.client.rpc('suspend_user', { profile_id: profileId, reason: 'Spam' }).throwOnError(),
      ({ userId }) => gateway.query('select private.delete_account($1, null)', [userId]),
    ]
    for (const go of leave) {
      const creator = await buildSeller(gateway)
      const id = await buildPost(gateway, creator)
      const product = await buildProduct(gateway, creator)
      const paths = [`/profile/${creator.username}`, `/profile/${creator.userId}`, `/post/${id}`, `/product/${product}`]
      for (const path of paths) expect(await isListed(path), path).toBe(true)
      await go(creator)
      for (const path of paths) expect(await head(path), path).toEqual(gone)
    }
  })

  it('is not listed when its creator has opted out, and still has a preview for shared links [FIND-02]', async () => {
    const creator = await buildSeller(gateway)
    const paths = [
      `/profile/${creator.username}`,
      `/post/${await buildPost(gateway, creator)}`,
      `/product/${await buildProduct(gateway, creator)}`,
    ]
    await creator.client
      .from('user_settings')
      .update({ privacy: { allowSearchEngines: false } })
      .eq('user_id', creator.profileId)
      .throwOnError()
    for (const path of paths) {
      expect(writeHead(await head(path))).toContain('<meta name="robots" content="noindex" />')
      expect((await head(path)).meta?.['og:url']).toBe(`${site}${path}`)
    }
  })
})

describe('bad input', () => {
  it('can’t leave its place: markup, marks that reverse, and 5,000 characters [FIND-02]', async () => {
    const creator = await buildSeller(gateway)
    const name = '</title><script>a</script>\u202egnp'
    await gateway.query('update private.profiles set display_name = $2, bio = $3 where id = $1', [
      creator.profileId,
      name,
      `"><img src=x onerror=a> ${'b'.repeat(900)}`,
    ])
    const id = await buildPost(gateway, creator, { title: '<!--', content: 'c'.repeat(5000) })
    for (const path of [`/profile/${creator.username}`, `/post/${id}`]) {
      const written = writeHead(await head(path))
      expect(written).not.toMatch(/<script>|<img|<!--|\u202e/)
      expect(written.match(/<title>/g)).toHaveLength(1)
      expect(written.match(/<\/title>/g)).toHaveLength(1)
      expect(written.length).toBeLessThan(8000)
      expect((await head(path)).description?.length).toBeLessThanOrEqual(200)
    }
  })

  it('says nothing about search engines while the database doesn’t respond [FIND-02]', async () => {
    const broken = {
      ...gateway.services,
      log: { error: () => undefined },
      database: { run: () => Promise.reject(new Error('down')) },
    }
    const read = buildHeadReader(broken as never)
    const request = { raw: { headers: {}, socket: { remoteAddress: '127.0.0.1' } } }
    expect(await read(request as never, '/profile/mara')).toEqual({ html: '<title>Ovation</title>', hasFailed: true })
  })
})
