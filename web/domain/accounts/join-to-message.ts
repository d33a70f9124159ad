import { paths } from '@ovation/contract/paths'
import { signInPath } from '../../lib/auth/sign-in-path.ts'
import { addressOf } from '../../lib/auth/viewer.ts'

/** For a visitor: the sign-in screen, which shows the user and then opens the conversation with them (LOOP-04). */
export function joinToMessage(profile: { id: string; user_id: string; username: string | null }): string {
  const [pathname = '', query] = paths.conversation(addressOf(profile)).split('?')
  return signInPath({ pathname, search: `?${query}` }, { action: { kind: 'message', id: profile.id } })
}
