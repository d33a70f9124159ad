/** Comments under a post (POST-12, POST-56..POST-60). */
export const commentTexts = {
  /** POST-60 */
  loadFailed: 'Failed to load comments',
  postFailed: 'Failed to post comment',
  deleteFailed: 'Failed to delete comment',
  loadMore: "Couldn't load older comments.",
  empty: 'No comments yet. Be the first.',
  emptyForVisitors: 'No comments yet.',
  label: 'Add a comment',
  placeholder: 'Add a comment…',
  submit: 'Post',
  posting: 'Posting…',
  posted: 'Comment posted',
  /** Beside the name of the post's author. */
  creator: 'Creator',
  signIn: 'Sign in to comment',
  delete: (name: string) => `Delete ${name}'s comment`,
  deleteOwn: 'Delete your comment',
  more: (name: string) => `More options for ${name}'s comment`,
  deleteDialog: {
    title: 'Delete this comment?',
    message: "This deletes the comment for everyone. This can't be undone.",
    confirm: 'Delete',
  },
  deleted: 'Comment deleted',
} as const
