/** 404-02, 404-03 */
export const notFoundTexts = {
  code: '404',
  title: 'Oops! Page not found',
  message: 'The link may be mistyped, or the page was removed.',
} as const
