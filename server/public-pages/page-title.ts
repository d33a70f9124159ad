import { postTitle, productTitle, profileTitle } from '@ovation/contract/texts/page-titles'
import { postTexts } from '@ovation/contract/texts/posts'
import { plainText, shorten } from '../plain-text.ts'
import type { PublicPage } from './read-page.ts'

/** The title of a page, without the site's name. */
export function titleOf(page: PublicPage): string {
  const { creator } = page
  if (page.kind === 'profile') return profileTitle(creator.name, creator.username)
  if (page.kind === 'product') return productTitle(page.title, creator.name)
  const { title, text, createdAt } = page
  return postTitle({ title, content: plainText(text), created_at: createdAt.toISOString() }, creator.name)
}

const headingLength = 120

/** The same where the creator's name is shown beside it. */
export function headingOf(page: PublicPage): string {
  if (page.kind === 'profile') return page.creator.name
  if (page.kind === 'product') return page.title
  return page.title ?? (shorten(page.text, headingLength, page.isLocked) || postTexts.by(page.creator.name))
}
