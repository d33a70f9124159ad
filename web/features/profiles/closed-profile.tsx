import { profileTexts } from '@ovation/contract/texts/profile'
import { IconBan, IconLock } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'

type Props = { /** By the viewer; else the profile is private. */ blocked: boolean }

/** In place of what a private profile shows to others (PROF-22), and of what one does not see of whom one has blocked (D39). */
export const ClosedProfile = ({ blocked }: Props) =>
  blocked ? (
    <EmptyState icon={<IconBan size={26} stroke={1.5} />} {...profileTexts.blockedEmpty} />
  ) : (
    <EmptyState icon={<IconLock size={26} stroke={1.5} />} {...profileTexts.privateProfile.empty} />
  )
