import { Anchor, Button, Group, ScrollArea, Skeleton, Table } from '@mantine/core'
import { trackingLinkTexts } from '@ovation/contract/texts/tracking-links'
import { trackingLinkPath, trackingLinksPath } from '@ovation/contract/tracking-links'
import { IconArrowLeft, IconCopy, IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  linkDaysQuery,
  linkFigures,
  linkQuery,
  linkRetentionQuery,
  type TrackingLink,
} from '../../domain/tracking-links/queries.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Segments } from '../../ui/segments.tsx'
import { copyLink } from '../../ui/share.ts'
import { describeTrial } from './describe-trial.ts'
import { formatFigure, LinkFigures } from './link-figures.tsx'
import { LinkMenu } from './link-menu.tsx'
import classes from './links.module.css'
import tableClasses from './tables.module.css'
import { formatUtcDay, formatUtcMonth } from './utc-day.ts'

const texts = trackingLinkTexts.details

type Props = { viewerId: string; linkId: string }

/** One link: its address and QR code, its figures in total and by day (LINK-01), and who stays (LINK-04). */
export default function LinkDetails({ viewerId, linkId }: Props) {
  const { data: link, ...query } = useQuery(linkQuery(viewerId, linkId))
  return (
    <div className={classes.details}>
      <Anchor component={Link} to={trackingLinksPath()} size="sm" className={classes.back}>
        <IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />
        {texts.back}
      </Anchor>
      {link === null ? (
        <p>{texts.missing}</p>
      ) : link ? (
        <>
          <div className={classes.linkHead}>
            <h2 className={classes.title} dir="auto">
              {link.name}
            </h2>
            <div className={classes.actions}>
              <LinkMenu viewerId={viewerId} link={link} />
            </div>
          </div>
          <Address link={link} />
          <section className={`surface ${classes.panel}`} aria-label={trackingLinkTexts.figures.title}>
            <LinkFigures figures={link} />
            <p className={classes.hint}>{trackingLinkTexts.earnedHint}</p>
          </section>
          <Days viewerId={viewerId} linkId={linkId} />
          <Retention viewerId={viewerId} linkId={linkId} />
        </>
      ) : query.isError ? (
        <LoadFailed title={trackingLinkTexts.loadFailed} of={query} />
      ) : (
        <ListSkeleton rows={3} />
      )}
    </div>
  )
}

function Address({ link }: { link: TrackingLink }) {
  const path = trackingLinkPath(link.code)
  return (
    <section className={`surface ${classes.panel} ${classes.address}`} aria-label={texts.address}>
      <img className={classes.qrCode} src={`${path}.svg`} alt={texts.codeOf(link.name)} width={128} height={128} />
      <div className={classes.about}>
        <p className={classes.url}>{new URL(path, window.location.origin).href}</p>
        {link.trial_days !== null && (
          <p className={classes.hint}>
            {trackingLinkTexts.trial(link.trial_days)} · {describeTrial(link)}
          </p>
        )}
        <Group gap="xs" mt="sm">
          <Button
            variant="default"
            leftSection={<IconCopy size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => void copyLink(path)}
          >
            {trackingLinkTexts.copy}
          </Button>
          {(['png', 'svg'] as const).map((form) => (
            <Button
              key={form}
              component="a"
              variant="default"
              href={`${path}.${form}`}
              download={`${link.code}.${form}`}
              leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
            >
              {texts[form]}
            </Button>
          ))}
        </Group>
      </div>
    </section>
  )
}

const ranges = ['30', '90', '365'] as const

function Days({ viewerId, linkId }: Props) {
  const [range, setRange] = useState<(typeof ranges)[number]>('30')
  const days = useQuery(linkDaysQuery(viewerId, linkId, Number(range)))
  const { title, ...names } = trackingLinkTexts.figures
  return (
    <section className={`surface ${classes.panel}`} aria-labelledby="link-days">
      <div className={classes.linkHead}>
        <h3 id="link-days" className={classes.heading}>
          {texts.days.title}
        </h3>
        <Segments
          className={classes.actions}
          aria-label={texts.days.range}
          value={range}
          onChange={setRange}
          data={ranges.map((value) => ({ value, label: texts.days.ranges[value] }))}
        />
      </div>
      {!days.data ? (
        days.isError ? (
          <LoadFailed order={3} title={texts.days.loadFailed} of={days} />
        ) : (
          <Skeleton height={180} />
        )
      ) : days.data.length === 0 ? (
        <p className={classes.hint}>{texts.days.none}</p>
      ) : (
        <ScrollArea.Autosize
          mah="22rem"
          offsetScrollbars
          viewportProps={{ tabIndex: 0 }}
          className={tableClasses.box ?? ''}
        >
          <Table className={tableClasses.table}>
            <caption className="visually-hidden">{texts.days.title}</caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{texts.days.day}</Table.Th>
                {linkFigures.map((name) => (
                  <Table.Th key={name} scope="col" data-number>
                    {names[name]}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.data.map((day) => (
                <Table.Tr key={day.day}>
                  <Table.Th scope="row" data-date>
                    {formatUtcDay(day.day)}
                  </Table.Th>
                  {linkFigures.map((name) => (
                    <Table.Td key={name} data-number>
                      {formatFigure(day, name)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </section>
  )
}

function Retention({ viewerId, linkId }: Props) {
  const cohorts = useQuery(linkRetentionQuery(viewerId, linkId))
  const { title, hint, month, subscribers, after, remaining, none, loadFailed } = texts.retention
  const most = Math.max(0, ...(cohorts.data ?? []).map((cohort) => cohort.remaining.length))
  const months = Array.from({ length: most }, (_, index) => index + 1)
  return (
    <section className={`surface ${classes.panel}`} aria-labelledby="link-retention">
      <h3 id="link-retention" className={classes.heading}>
        {title}
      </h3>
      <p className={classes.hint}>{hint}</p>
      {!cohorts.data ? (
        cohorts.isError ? (
          <LoadFailed order={3} title={loadFailed} of={cohorts} />
        ) : (
          <Skeleton height={120} />
        )
      ) : cohorts.data.length === 0 ? (
        <p className={classes.hint}>{none}</p>
      ) : (
        <ScrollArea.Autosize
          mah="22rem"
          offsetScrollbars
          viewportProps={{ tabIndex: 0 }}
          className={tableClasses.box ?? ''}
        >
          <Table className={tableClasses.table}>
            <caption className="visually-hidden">{title}</caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{month}</Table.Th>
                <Table.Th scope="col" data-number>
                  {subscribers}
                </Table.Th>
                {months.map((count) => (
                  <Table.Th key={count} scope="col" data-number>
                    {after(count)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {cohorts.data.map((cohort) => (
                <Table.Tr key={cohort.month}>
                  <Table.Th scope="row" data-date>
                    {formatUtcMonth(cohort.month)}
                  </Table.Th>
                  <Table.Td data-number data-strong>
                    {formatCount(cohort.subscribers)}
                  </Table.Td>
                  {months.map((count) => {
                    const left = cohort.remaining[count - 1]
                    return (
                      <Table.Td key={count} data-number>
                        {left === undefined
                          ? '–'
                          : remaining(formatCount(left), Math.round((left / cohort.subscribers) * 100))}
                      </Table.Td>
                    )
                  })}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </section>
  )
}
