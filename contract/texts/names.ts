/** Tags and mentions in texts (TALK-01). */
export const nameTexts = {
  /** The list of suggestions below a text field. */
  tags: 'Tags',
  people: 'People',
  found: (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`),
  posts: (count: string) => (count === '1' ? '1 post' : `${count} posts`),
  /** A tag's page. */
  page: {
    show: 'Show',
    posts: 'Posts',
    comments: 'Comments',
    empty: { title: 'No posts yet', message: 'Posts with this tag that you can see appear here.' },
    emptyComments: { title: 'No comments yet', message: 'Comments with this tag that you can see appear here.' },
    explore: 'Explore creators',
    postsFailed: "Couldn't load the posts with this tag",
    commentsFailed: "Couldn't load the comments with this tag",
    moreFailed: "Couldn't load more comments.",
    commented: 'commented on',
    aPost: 'a post',
  },
} as const
