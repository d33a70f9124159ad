import { publicFeedPath } from '@ovation/contract/feed-paths'
import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { feedTexts } from '@ovation/contract/texts/feeds'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconBan, IconFlag, IconHeadphones, IconListCheck, IconRss } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAskToSignIn } from '../../domain/accounts/use-ask-to-sign-in.ts'
import { blockQuery, useBlock } from '../../domain/blocks/use-block.ts'
import { closesAt } from '../../domain/subscriptions/my-subscriptions.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import type { MoreAction } from '../../ui/more-menu.tsx'
import type { Profile } from './queries.ts'
import type { Offer } from './use-offer.ts'

const ReportDialog = lazy(() => import('../../domain/reports/report-dialog.tsx'))
const BlockDialog = lazy(() => import('../../domain/blocks/block-dialog.tsx'))
const ListsDialog = lazy(() => import('../../domain/fans/lists-dialog.tsx'))
const PrivateFeedDialog = lazy(() => import('../../domain/private-feeds/private-feed-dialog.tsx'))

/** Feeds of a creator (RSS-01, RSS-02) and a creator's lists (LIST-01), then report and block, on another user's profile (D43, D39). */
export default function ProfileMenu({ profile, offer }: { profile: Profile; offer: Offer }) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const [open, setOpen] = useState<'report' | 'block' | 'feed' | 'lists'>()
  const close = () => setOpen(undefined)
  const person = { profileId: profile.id, name: nameOf(profile) }
  const blocked = useQuery({ ...blockQuery(viewer?.profileId ?? '', profile.id), enabled: Boolean(viewer) })
  const block = useBlock(person, close)

  const actions: MoreAction[] = []
  if (profile.is_verified && profile.username && !profile.is_private)
    actions.push({ label: feedTexts.publicFeed, icon: IconRss, href: publicFeedPath(profile.username) })
  // A subscription whose payment failed may give no access.
  if (offer.state === 'subscribed' && closesAt(offer.subscription.access_until) > Date.now())
    actions.push({ label: feedTexts.privateFeed, icon: IconHeadphones, onSelect: () => setOpen('feed') })
  if (viewer?.mayPublish)
    actions.push({ label: fanListTexts.add, icon: IconListCheck, onSelect: () => setOpen('lists') })
  actions.push({
    label: safetyTexts.reportNamed.profile,
    icon: IconFlag,
    onSelect: () => (viewer ? setOpen('report') : askToSignIn({ kind: 'report', id: profile.id })),
  })
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
        {open === 'report' && <ReportDialog target={{ type: 'profile', id: profile.id }} onClose={close} />}
        {open === 'block' && <BlockDialog person={person} onClose={close} />}
        {open === 'feed' && viewer && (
          <PrivateFeedDialog viewerId={viewer.profileId} creator={person} onClose={close} />
        )}
        {open === 'lists' && viewer && (
          <ListsDialog
            viewerId={viewer.profileId}
            fans={[{ id: person.profileId, name: person.name }]}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}
