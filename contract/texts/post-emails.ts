type Post = { readonly title: string | null; readonly preview: string; readonly isCut: boolean }

/** A creator's new posts: their number, and the latest of them. */
type News = { readonly name: string; readonly posts: number; readonly latest: readonly Post[] }

/** The part of the text that everyone sees. */
const start = ({ preview, isCut }: Post) => (isCut ? `${preview}…` : preview)

const list = new Intl.ListFormat('en-US')

/** Emails to fans about new posts (LOOP-02). */
export const postEmailTexts = {
  /** Of one creator. */
  subject: ({ name, posts, latest: [first] }: News) => {
    if (posts > 1) return `${name} published ${posts} posts`
    return `${name} published ${first?.title ? `"${first.title}"` : 'a post'}`
  },
  /** Of several creators. */
  digestSubject: (names: readonly string[]) =>
    `New posts from ${list.format(names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names)}`,
  /** How a post begins. */
  start,
  /** One of several posts: its title and how it begins. */
  post: (post: Post) => [post.title, start(post)].filter(Boolean).join(': '),
  more: (count: number) => `And ${count} more.`,
  open: 'See the post',
  openAll: 'See the posts',
  closing: (settingsUrl: string) =>
    `You're getting this because you follow or subscribe to these creators. Choose what we email you in Settings: ${settingsUrl}`,
} as const
