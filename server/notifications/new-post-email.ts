import { paths } from '@ovation/contract/paths'
import { postEmailTexts as texts } from '@ovation/contract/texts/post-emails'
import type { Mail } from '../mail/mail.ts'
import { renderEmail } from '../mail/render-email.ts'
import type { EmailFrame } from './email-frame.ts'
import type { PostNews } from './post-announcements.ts'

/** Longer emails wouldn't be read; the feed shows the rest. */
const maxCreators = 20

type Options = EmailFrame & { readonly news: readonly PostNews[] }

/** One email about the new posts of one or more creators (LOOP-02). */
export function newPostEmail({ news, to, productName, siteUrl, unsubscribeUrl }: Options): Mail {
  const [first] = news
  const isOne = news.length === 1 && first !== undefined
  return renderEmail({
    to,
    productName,
    subject: isOne ? texts.subject(first) : texts.digestSubject(news.map(({ name }) => name)),
    paragraphs: isOne ? listPosts(first) : listCreators(news),
    action: actionOf(news, siteUrl),
    closing: texts.closing(siteUrl + paths.settingsTab('notifications')),
    unsubscribeUrl,
  })
}

/** Each post with its beginning. */
function listPosts({ posts, latest }: PostNews): string[] {
  const more = posts - latest.length
  return [...latest.map(texts.post).filter(Boolean), ...(more > 0 ? [texts.more(more)] : [])]
}

/** Each creator with what they published. */
function listCreators(news: readonly PostNews[]): string[] {
  const more = news.length - maxCreators
  return [...news.slice(0, maxCreators).map((one) => `${texts.subject(one)}.`), ...(more > 0 ? [texts.more(more)] : [])]
}

function actionOf(news: readonly PostNews[], siteUrl: string) {
  const path = news.length === 1 && news[0] ? pathOfNews(news[0]) : paths.home
  const isOnePost = news.length === 1 && news[0]?.posts === 1
  return { label: isOnePost ? texts.open : texts.openAll, url: siteUrl + path }
}

/** The post, or the profile with the posts. */
export function pathOfNews({ posts, latest: [first], address }: PostNews): string {
  return posts === 1 && first ? paths.post(first.id) : paths.profile(address)
}
