import { profileTexts } from '@ovation/contract/texts/profile'
import { IconLock } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'

/** In place of what a private profile shows to others (PROF-22). */
export const ClosedProfile = () => (
  <EmptyState icon={<IconLock size={26} stroke={1.5} />} {...profileTexts.privateProfile.empty} />
)
