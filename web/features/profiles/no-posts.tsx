import { profileTexts } from '@ovation/contract/texts/profile'
import { IconFeather } from '@tabler/icons-react'
import { ComposeButton } from '../../domain/composer/compose-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import ClosedProfile from './closed-profile.tsx'

type Props = { closed: 'blocked' | 'private' | false; own: boolean }

/** Why a profile shows no posts (PROF-14). */
export default function NoPosts({ closed, own }: Props) {
  if (closed) return <ClosedProfile blocked={closed === 'blocked'} />
  return (
    <EmptyState
      icon={<IconFeather size={26} stroke={1.5} />}
      {...profileTexts.noPosts}
      action={own && <ComposeButton />}
    />
  )
}
