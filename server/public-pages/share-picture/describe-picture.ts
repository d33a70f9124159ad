import { createHash } from 'node:crypto'
import { shorten } from '../../plain-text.ts'
import { nameOf } from '../card/card-address.ts'
import { writeLock, writePlans, writePrice } from '../card/prices.ts'
import { headingOf } from '../page-title.ts'
import { rendered } from '../pictures.ts'
import type { PublicPage } from '../read-page.ts'
import { addressOn, type Site } from '../site.ts'

/** In pixels, as Open Graph recommends. */
export const pictureSize = { width: 1200, height: 630 } as const

/** What the picture shows of a post, product, or profile. */
export type PictureTexts = {
  readonly site: string
  readonly heading: string
  /** The creator's; empty if that is the heading. */
  readonly name: string
  readonly username: string
  /** A sentence below the heading. */
  readonly detail: string
  /** What it costs; empty if it costs nothing. */
  readonly price: string
}

/** All that a page's picture is made of: what visitors see of the page, so nothing locked. */
export type PictureDescription = {
  readonly texts: PictureTexts
  /** A path of storage/v1; undefined for none. */
  readonly background: string | undefined
  readonly face: string | undefined
  /** Differs when any of it does. */
  readonly version: string
}

const faceSide = 240
const detailLength = 160

export function describePicture(page: PublicPage, site: Site): PictureDescription {
  const { creator, picture } = page
  const parts = {
    texts: {
      site: site.name,
      heading: headingOf(page),
      name: page.kind === 'profile' ? '' : creator.name,
      username: creator.username,
      detail: detailOf(page),
      price: priceOf(page),
    },
    background: picture?.isWide ? rendered(picture, pictureSize.width, pictureSize.height) : undefined,
    face: creator.avatar ? rendered(creator.avatar, faceSide, faceSide) : undefined,
  }
  const hash = createHash('sha256').update(JSON.stringify([parts, creator.updatedAt]))
  return { ...parts, version: hash.digest('base64url').slice(0, 16) }
}

function detailOf(page: PublicPage): string {
  if (page.kind === 'profile') return shorten(page.bio, detailLength)
  if (page.kind === 'product') return shorten(page.text, detailLength)
  // Without a title, the text is the heading.
  return page.title ? shorten(page.text, detailLength, page.isLocked) : ''
}

function priceOf(page: PublicPage): string {
  if (page.kind === 'profile') return writePlans(page)
  if (page.kind === 'product') return writePrice(page)
  return page.isLocked ? writeLock(page) : ''
}

/** The URL of a page's picture. Its version makes other sites fetch a changed one. */
export function pictureAddress(page: PublicPage, site: Site): string {
  return addressOn(site, `/card/${page.kind}/${nameOf(page)}.jpg?v=${describePicture(page, site).version}`)
}
