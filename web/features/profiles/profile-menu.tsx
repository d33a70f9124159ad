import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconBan, IconFlag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAskToSignIn } from '../../domain/accounts/use-ask-to-sign-in.ts'
import { MoreButton } from '../../domain/safety/more-button.tsx'
import type { MoreAction } from '../../domain/safety/more-menu.tsx'
import { blockQuery, useBlock } from '../../domain/safety/use-block.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import type { Profile } from './queries.ts'

const Report = lazy(() =>
  import('../../domain/safety/safety-dialogs.tsx').then((module) => ({ default: module.Report })),
)
const BlockDialog = lazy(() =>
  import('../../domain/safety/safety-dialogs.tsx').then((module) => ({ default: module.BlockDialog })),
)

/** Report and block, on another user's profile (D43, D39). */
export default function ProfileMenu({ profile }: { profile: Profile }) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const [open, setOpen] = useState<'report' | 'block'>()
  const close = () => setOpen(undefined)
  const person = { profileId: profile.id, name: nameOf(profile) }
  const blocked = useQuery({ ...blockQuery(viewer?.profileId ?? '', profile.id), enabled: Boolean(viewer) })
  const block = useBlock(person, close)

  const actions: MoreAction[] = [
    {
      label: safetyTexts.reportNamed.profile,
      icon: IconFlag,
      onSelect: () => (viewer ? setOpen('report') : askToSignIn({ kind: 'report', id: profile.id })),
    },
  ]
  if (viewer && blocked.data !== undefined)
    actions.push({
      label: blocked.data ? safetyTexts.unblock(person.name) : safetyTexts.block(person.name),
      icon: IconBan,
      onSelect: () => (blocked.data ? block.mutate(false) : setOpen('block')),
    })
  return (
    <>
      <MoreButton actions={actions} />
      <Suspense>
        {open === 'report' && <Report target={{ type: 'profile', id: profile.id }} onClose={close} />}
        {open === 'block' && <BlockDialog person={person} onClose={close} />}
      </Suspense>
    </>
  )
}
