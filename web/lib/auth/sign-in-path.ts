import { paths, returnParameter } from '@ovation/contract/paths'

/** The sign-in screen, with the path to return to (D35). */
export function signInPath({ pathname, search }: { pathname: string; search: string }): string {
  const here = `${pathname}${search}`
  if (here === paths.home || pathname === paths.auth) return paths.auth
  return `${paths.auth}?${new URLSearchParams({ [returnParameter]: here })}`
}
