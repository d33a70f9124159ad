/** Comments under a post (POST-12, POST-56..POST-60). */
export const commentTexts = {
  /** POST-60 */
  loadFailed: 'Failed to load comments',
  postFailed: 'Failed to post comment',
  deleteFailed: 'Failed to delete comment',
  loadMore: 'Older comments could not be loaded.',
  empty: 'No comments yet. Yours could be the first.',
  emptyForVisitors: 'No comments yet.',
  label: 'Add a comment',
  placeholder: 'Add a comment…',
  submit: 'Post',
  posting: 'Posting…',
  posted: 'Comment posted',
  signIn: 'Sign in to comment',
  delete: (name: string) => `Delete the comment by ${name}`,
  deleteOwn: 'Delete your comment',
  more: (name: string) => `More for the comment by ${name}`,
  deleteDialog: {
    title: 'Delete this comment?',
    message: 'The comment is deleted for everyone. This cannot be undone.',
    confirm: 'Delete',
  },
  deleted: 'Comment deleted',
} as const
