import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { IconBan, IconLock } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'

type Props = { /** By the viewer; otherwise the profile is private. */ blocked: boolean }

/** Replaces what a private profile hides (PROF-22), and the posts of a user whom the viewer has blocked (D39). */
export default function ClosedProfile({ blocked }: Props) {
  return blocked ? (
    <EmptyState icon={<IconBan size={26} stroke={1.5} />} {...profileTabsTexts.blockedEmpty} />
  ) : (
    <EmptyState icon={<IconLock size={26} stroke={1.5} />} {...profileTabsTexts.privateEmpty} />
  )
}
