import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { Fan } from '../../domain/fans/list-queries.ts'
import { type Figure, type MassMessage, massMessageFansQuery } from '../../domain/mass-messages/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './messages-tab.module.css'

const FanSheet = lazy(() => import('../../domain/fans/fan-sheet.tsx'))

const texts = massMessageTexts.fans

type Props = { profileId: string; message: MassMessage; figure: Figure; onClose: () => void }

/** The fans behind a figure of a mass message; each leads to what the creator knows about them (MASS-03). */
export default function MassFans({ profileId, message, figure, onClose }: Props) {
  const query = useInfiniteQuery(massMessageFansQuery(profileId, message.id, figure))
  const [shown, setShown] = useState<{ id: string; name: string }>()
  return (
    <Dialog title={`${texts.titles[figure]} (${formatCount(message[figure])})`} onClose={onClose} fullScreenOnPhone>
      <PagedList
        query={query}
        rows={query.data?.pages.flat()}
        pending={<ListSkeleton rows={5} shape="line" />}
        failed={{ title: texts.loadFailed }}
        empty={<EmptyState icon={<IconUsers size={26} stroke={1.5} />} {...texts.none} />}
        moreFailed={texts.loadFailed}
      >
        {(fans, more) => <WindowedFans fans={fans} label={texts.titles[figure]} more={more} onOpen={setShown} />}
      </PagedList>
      {shown && (
        <Suspense>
          <FanSheet viewerId={profileId} fan={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </Dialog>
  )
}

type FansProps = {
  fans: Fan[]
  label: string
  more: ReactNode
  onOpen: (fan: { id: string; name: string }) => void
}

const rowHeight = 60

/** Only those in view are rendered: a message to 100,000 fans has as many. */
function WindowedFans({ fans, label, more, onOpen }: FansProps) {
  const box = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: fans.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className={classes.fans} tabIndex={0} aria-label={label}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const fan = fans[index]
          if (!fan) return null
          const name = fan.custom_name ?? nameOf(fan)
          return (
            <li
              key={fan.fan_id}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              aria-setsize={-1}
              aria-posinset={index + 1}
            >
              <button type="button" onClick={() => onOpen({ id: fan.fan_id, name })}>
                <ProfileAvatar name={name} src={publicImage(fan.avatar_url, fan.updated_at)} size={40} />
                <span className={classes.fan}>
                  <bdi>{name}</bdi>
                  <span>
                    {[fan.plan_name, texts.spent(formatCents(Number(fan.spent)))].filter(Boolean).join(' · ')}
                  </span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {more}
    </section>
  )
}
