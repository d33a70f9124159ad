import { Badge, Progress } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { type Figure, figures, type MassMessage } from '../../domain/mass-messages/queries.ts'
import { PostThumbnail } from '../../domain/posts/post-thumbnail.tsx'
import { formatExact } from '../../lib/format/format-date.ts'
import { formatCents, formatCompact, formatCount } from '../../lib/format/format-number.ts'
import { ownZone } from '../../lib/format/local-time.ts'
import { formatZoned } from '../../lib/format/zoned-time.ts'
import { type MediaLinks, useMediaLinks } from '../../lib/media/media-links.ts'
import { Ago } from '../../ui/ago.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { MassMenu } from './mass-menu.tsx'
import classes from './messages-tab.module.css'
import { nameOfMass } from './name-of-mass.ts'

const MassFans = lazy(() => import('./mass-fans.tsx'))

const texts = massMessageTexts.tab

type Props = { rows: MassMessage[]; profileId: string; label: string }

/** Mass messages, each with its state, its figures, and its actions (MASS-03). */
export function MassRows({ rows, profileId, label }: Props) {
  const { links } = useMediaLinks(
    rows.flatMap(({ files: [first] }) => first?.path ?? []),
    'vault',
  )
  const keptFocus = useKeptFocus<HTMLUListElement>()
  return (
    <ul {...keptFocus} className={`surface ${classes.rows}`} aria-label={label}>
      {rows.map((message) => (
        <MassRow key={message.id} message={message} profileId={profileId} links={links} />
      ))}
    </ul>
  )
}

const isBegun = ({ status }: MassMessage): boolean => status !== 'draft' && status !== 'scheduled'

type RowProps = { message: MassMessage; profileId: string; links: MediaLinks }

function MassRow({ message, profileId, links }: RowProps) {
  const { files, price_cents } = message
  const name = nameOfMass(message)
  return (
    <li className={classes.row}>
      <span className={classes.picture} data-text={files.length === 0} aria-hidden="true">
        {files[0] && (
          <PostThumbnail
            post={{
              media_urls: [files[0].path],
              media_previews: files[0].preview ? [{ preview: files[0].preview }] : [],
            }}
            links={links}
          />
        )}
      </span>
      <div className={classes.words}>
        {isBegun(message) ? (
          <p className={classes.name} dir="auto">
            {name}
          </p>
        ) : (
          <Link to={paths.massMessage(message.id)} className={classes.name} dir="auto">
            {name}
          </Link>
        )}
        <div className={classes.about}>
          <Status message={message} />
          <span className={`${classes.facts} facts`}>
            <When message={message} />
            <span>{price_cents === null ? texts.free : formatCents(price_cents)}</span>
            {message.ends_at && message.status !== 'ended' && message.status !== 'unsent' && (
              <span>{texts.ends(formatZoned(message.ends_at, message.time_zone ?? ownZone()))}</span>
            )}
          </span>
        </div>
      </div>
      {isBegun(message) && <Figures message={message} profileId={profileId} />}
      <div className={classes.menu}>
        <MassMenu message={message} profileId={profileId} />
      </div>
      {message.status === 'sending' && (
        <Progress
          className={classes.progress}
          value={message.recipients_count ? (message.sent_count / message.recipients_count) * 100 : 0}
          aria-label={progressOf(message)}
        />
      )}
    </li>
  )
}

const colors = {
  draft: 'gray',
  scheduled: 'yellow',
  sending: 'crimson',
  sent: 'teal',
  ended: 'gray',
  unsent: 'gray',
} as const

const progressOf = ({ sent_count, recipients_count }: MassMessage): string =>
  texts.sending(formatCount(sent_count), formatCount(recipients_count ?? 0))

const Status = ({ message }: { message: MassMessage }) => (
  <Badge variant="light" color={colors[message.status]} className={classes.badge} data-status={message.status}>
    {message.status === 'sending' ? progressOf(message) : texts.statuses[message.status]}
  </Badge>
)

/** When it was or will be sent; of a draft, when it was changed. */
function When({ message: { status, scheduled_at, sent_at, updated_at, time_zone } }: { message: MassMessage }) {
  if (status === 'scheduled' && scheduled_at) return <span>{formatZoned(scheduled_at, time_zone ?? ownZone())}</span>
  const at = sent_at ?? updated_at
  return (
    <span title={formatExact(at)}>
      {status === 'draft' && `${texts.changed} `}
      <Ago at={at} />
    </span>
  )
}

/** What became of the copies. Each number of fans opens a list of them. */
function Figures({ message, profileId }: { message: MassMessage; profileId: string }) {
  const [open, setOpen] = useState<Figure>()
  const isPaid = message.price_cents !== null
  const shown = figures.filter((figure) => isPaid || figure !== 'purchased')
  return (
    <>
      <dl className={classes.figures}>
        {shown.map((figure) => (
          <div key={figure}>
            <dt>{texts.figures[figure]}</dt>
            <dd>
              {message[figure] === 0 ? (
                '0'
              ) : (
                <button
                  type="button"
                  className={classes.figure}
                  title={formatCount(message[figure])}
                  aria-label={massMessageTexts.fans.open(texts.figures[figure], formatCount(message[figure]))}
                  onClick={() => setOpen(figure)}
                >
                  {formatCompact(message[figure])}
                </button>
              )}
            </dd>
          </div>
        ))}
        {isPaid && (
          <div>
            <dt>{texts.figures.earned}</dt>
            <dd>{formatCents(message.earned_cents)}</dd>
          </div>
        )}
      </dl>
      {open && (
        <Suspense>
          <MassFans profileId={profileId} message={message} figure={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
