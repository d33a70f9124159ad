import { profileTexts } from '@ovation/contract/texts/profile'
import { IconBan, IconLock } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'

type Props = { /** By the viewer; otherwise the profile is private. */ blocked: boolean }

/** Replaces what a private profile hides (PROF-22), and the posts of a user whom the viewer has blocked (D39). */
export const ClosedProfile = ({ blocked }: Props) =>
  blocked ? (
    <EmptyState icon={<IconBan size={26} stroke={1.5} />} {...profileTexts.blockedEmpty} />
  ) : (
    <EmptyState icon={<IconLock size={26} stroke={1.5} />} {...profileTexts.privateProfile.empty} />
  )
