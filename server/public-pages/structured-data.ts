import { paths } from '@ovation/contract/paths'
import { shorten } from '../plain-text.ts'
import { type Picture, pictureOn } from './pictures.ts'
import type { Creator, Offer, PostPage, ProductPage, ProfilePage, PublicPage, Video } from './read-page.ts'
import { addressOn, type Site } from './site.ts'

/** A node of JSON-LD. Undefined members are left out. */
type Node = { readonly [name: string]: unknown }

const pictureWidth = 1200
const descriptionLength = 500
/** As long as Google shows. */
const headlineLength = 110

/** What a page is about, as search engines read it (schema.org). */
export function structuredData(page: PublicPage, title: string, site: Site): Node {
  return { '@context': 'https://schema.org', '@graph': nodesOf(page, title, site) }
}

function nodesOf(page: PublicPage, title: string, site: Site): Node[] {
  if (page.kind === 'profile') return describeProfile(page, site)
  return [page.kind === 'post' ? describePost(page, title, site) : describeProduct(page, site)]
}

function describeProduct(page: ProductPage, site: Site): Node {
  const url = addressOn(site, page.path)
  return {
    '@type': 'Product',
    '@id': url,
    url,
    name: shorten(page.title, headlineLength),
    description: textOf(page.text),
    image: imageOf(page.picture, site),
    sku: page.id,
    brand: { '@type': 'Brand', name: page.creator.name },
    offers: {
      ...describeOffer({ cents: page.cents, isSoldOut: page.isSoldOut, takesMore: page.takesMore }, url),
      seller: describePerson(page.creator, site),
    },
  }
}

function describeProfile(page: ProfilePage, site: Site): Node[] {
  const { creator, bio } = page
  const url = addressOn(site, page.path)
  const profile = {
    '@type': 'ProfilePage',
    '@id': url,
    url,
    dateCreated: page.createdAt.toISOString(),
    dateModified: creator.updatedAt.toISOString(),
    mainEntity: {
      ...describePerson(creator, site),
      alternateName: `@${creator.username}`,
      description: textOf(bio),
      sameAs: describeSites(page),
      interactionStatistic: [counted('FollowAction', page.followers)],
      agentInteractionStatistic: counted('WriteAction', page.posts),
    },
  }
  return [profile, ...page.plans.map((plan) => describePlan(plan, page, site))]
}

/** Sites that are about the same creator: the website, and the links that link back. */
function describeSites({ website, links }: ProfilePage): string | string[] | undefined {
  const verified = links.flatMap(({ url, verified }) => (verified && url !== website ? [url] : []))
  if (website === null) return verified.length > 0 ? verified : undefined
  return verified.length > 0 ? [website, ...verified] : website
}

/** A plan is a product with its price. */
function describePlan(
  { name, description, price_cents, interval }: ProfilePage['plans'][number],
  page: ProfilePage,
  site: Site,
): Node {
  const url = addressOn(site, paths.plans(page.creator.username))
  return {
    '@type': 'Product',
    name,
    description: textOf(description ?? ''),
    image: imageOf(page.picture, site),
    brand: { '@type': 'Brand', name: page.creator.name },
    offers: describeOffer({ cents: price_cents, plan: { name, interval } }, url),
  }
}

function describePost(page: PostPage, title: string, site: Site): Node {
  const url = addressOn(site, page.path)
  return {
    '@type': 'SocialMediaPosting',
    '@id': url,
    url,
    mainEntityOfPage: url,
    headline: shorten(title, headlineLength),
    text: textOf(page.text, page.isLocked),
    datePublished: page.createdAt.toISOString(),
    author: describePerson(page.creator, site),
    publisher: { '@type': 'Organization', name: site.name, url: site.url },
    image: imageOf(page.picture, site),
    video: page.videos.length > 0 ? page.videos.map((video) => describeVideo(video, page, title, site)) : undefined,
    isAccessibleForFree: !page.isLocked,
    offers: page.offer && describeOffer(page.offer, url),
    interactionStatistic: [counted('LikeAction', page.likes), counted('CommentAction', page.comments)],
    commentCount: page.comments,
  }
}

const describeVideo = ({ file, poster, seconds }: Video, page: PostPage, title: string, site: Site): Node => ({
  '@type': 'VideoObject',
  name: shorten(title, headlineLength),
  description: textOf(page.text) ?? title,
  thumbnailUrl: imageOf(poster, site),
  uploadDate: page.createdAt.toISOString(),
  duration: seconds === undefined ? undefined : `PT${Math.max(1, Math.round(seconds))}S`,
  contentUrl: addressOn(site, file),
})

const describePerson = ({ name, path, avatar }: Creator, site: Site): Node => ({
  '@type': 'Person',
  name,
  url: addressOn(site, path),
  image: imageOf(avatar, site),
})

/** UN/CEFACT's codes, which schema.org prescribes for the length of a billing period. */
const unitCodes: Readonly<Record<string, string>> = { day: 'DAY', week: 'WEE', month: 'MON', year: 'ANN' }

type Sale = Offer & { readonly isSoldOut?: boolean; readonly takesMore?: boolean }

function describeOffer({ cents, plan, isSoldOut = false, takesMore = false }: Sale, url: string): Node {
  const price = { price: (cents / 100).toFixed(2), priceCurrency: 'USD' }
  return {
    '@type': 'Offer',
    ...price,
    availability: `https://schema.org/${isSoldOut ? 'SoldOut' : 'InStock'}`,
    url,
    name: plan?.name,
    priceSpecification: plan
      ? { '@type': 'UnitPriceSpecification', ...price, billingDuration: 1, unitCode: unitCodes[plan.interval] }
      : takesMore
        ? { '@type': 'PriceSpecification', minPrice: price.price, priceCurrency: price.priceCurrency }
        : undefined,
  }
}

const counted = (action: string, count: number): Node => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count,
})

const textOf = (text: string, goesOn = false): string | undefined =>
  shorten(text, descriptionLength, goesOn) || undefined

const imageOf = (picture: Picture | null, site: Site): string | undefined =>
  picture ? pictureOn(site, picture, pictureWidth) : undefined
