import { messageTexts as texts } from '@ovation/contract/texts/messages'
import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../lib/auth/viewer.ts'
import { blockQuery } from '../blocks/use-block.ts'

type Person = { id: string; username: string | null; display_name: string | null }

type Where = {
  onProfile?: boolean
  /** They have written to the viewer, so they aren't waiting for the first message. */
  wrote?: boolean
}

/** Why the viewer can't message a user: the viewer's own block, or the user's settings (MSG-12). Undefined while it loads. */
export function useClosedNotice(viewerId: string, person: Person, { onProfile = false, wrote = false }: Where = {}) {
  const blocked = useQuery(blockQuery(viewerId, person.id))
  if (blocked.isPending) return undefined
  const { title, message } = blocked.data ? texts.blocked : wrote ? texts.closedSince : texts.closed
  // On the profile, the message doesn't send the viewer to that profile.
  return { title: title(nameOf(person)), message: blocked.data && onProfile ? texts.blocked.onProfile : message }
}
