import { paths } from '../paths.ts'
import { authTexts } from './auth.ts'
import { exploreTexts } from './discover.ts'
import { legalTexts } from './legal.ts'
import { supportTexts } from './support.ts'

type PageTexts = { readonly title: string; readonly description: string }

/** The front page in the operator's words (FIND-06), as far as there are any. */
export const frontPage = (site: string, headline = '', message = ''): PageTexts => ({
  title: `${site}: ${(headline || authTexts.front.title).replace(/\.$/, '')}`,
  description: message || authTexts.front.message,
})

/** How search engines and other sites show the other screens that are the same for every visitor (FIND-02), by path. */
export const fixedPages: Readonly<Record<string, (site: string) => PageTexts>> = {
  [paths.explore]: (site) => ({
    title: `${exploreTexts.title} · ${site}`,
    description: `Find photographers, artists, cooks, trainers, and other creators on ${site}, by category, popularity, or price.`,
  }),
  [paths.support]: (site) => ({
    title: `${supportTexts.title} · ${site}`,
    description: `Get help with your account, payments, and posts on ${site}, or send us a message.`,
  }),
  [paths.privacyPolicy]: (site) => ({
    title: `${legalTexts.privacyTitle} · ${site}`,
    description: `How ${site} collects, uses, shares, and protects your information.`,
  }),
  [paths.termsOfService]: (site) => ({
    title: `${legalTexts.termsTitle} · ${site}`,
    description: `The terms of ${site} for fans and creators: accounts, content, payments, and refunds.`,
  }),
}

/** The card of a post, product, or profile on other sites (FIND-03). */
export const cardTexts = {
  openPost: (site: string) => `See the post on ${site}`,
  openProduct: (site: string) => `See the product on ${site}`,
  openProfile: (site: string) => `See the profile on ${site}`,
  followers: (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'follower' : 'followers'}`,
  posts: (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'post' : 'posts'}`,
  price: (price: string, interval: string) => `${price} / ${interval}`,
  plansFrom: (price: string, interval: string) => `Plans from ${price} / ${interval}`,
  notFound: { title: 'Not available', message: "It may have been deleted, or it isn't public." },
} as const

/** The description of a tag's page. */
export const tagPage = (tag: string, site: string): string => `Posts about #${tag} by creators on ${site}.`
