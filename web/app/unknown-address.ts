import { canonicalPath } from '@ovation/contract/canonical-path'
import { Redirect } from './redirect.ts'
import type { LoaderArguments } from './router.ts'

/** What opens at an address without a screen. It is rarely shown, so not part of the shell. */
export { NotFoundScreen as Component } from '../features/not-found/not-found-screen.tsx'

/** A short address stands for a screen (PAGE-02). The server redirects what is typed into the browser; links in the app arrive here. */
export function loader({ location: { pathname, search, hash } }: LoaderArguments): void {
  const path = canonicalPath(pathname)
  if (path !== undefined) throw new Redirect(path + search + hash)
}
