import { Button, Text } from '@mantine/core'
import { csvOf } from '@ovation/contract/csv'
import { paths } from '@ovation/contract/paths'
import { giftCodeTexts as texts } from '@ovation/contract/texts/gifts'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { siteOrigin } from '../../lib/api/api-url.ts'
import { download } from '../../lib/browser/download.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { toast } from '../../ui/toast.ts'
import { GiftCodesForm } from './gift-codes-form.tsx'
import classes from './given-gifts.module.css'
import { type GiftBatch, giftBatchesQuery, readGiftCodes } from './queries.ts'

type Props = { creatorId: string; plans: readonly { id: string; name: string; is_active: boolean }[] }

/** A creator's free codes: batches with their CSV, and the form for new ones (OFFER-03). */
export function GiftCodes({ creatorId, plans }: Props) {
  const batches = useInfiniteQuery(giftBatchesQuery())
  const active = plans.filter(({ is_active }) => is_active)
  return (
    <section aria-labelledby="gift-codes">
      <h2 id="gift-codes" className={classes.heading}>
        {texts.title}
      </h2>
      <Text c="dimmed" mb="md">
        {texts.introduction}
      </Text>
      <PagedList
        query={batches}
        rows={batches.data?.pages.flat()}
        pending={<ListSkeleton rows={1} />}
        failed={{ title: texts.loadFailed }}
        empty={<Text>{texts.none}</Text>}
        moreFailed={texts.moreFailed}
      >
        {(rows, more) => (
          <>
            <ul className={classes.list}>
              {rows.map((batch) => (
                <BatchRow key={batch.id} batch={batch} />
              ))}
            </ul>
            {more}
          </>
        )}
      </PagedList>
      {active.length > 0 && <GiftCodesForm creatorId={creatorId} plans={active} />}
    </section>
  )
}

function BatchRow({ batch }: { batch: GiftBatch }) {
  const name = texts.batch(formatCount(batch.codes), batch.months, batch.plan_name)
  // The whole day, in UTC.
  const isOver = Date.parse(`${batch.last_day}T24:00:00Z`) <= Date.now()
  const day = formatDate(`${batch.last_day}T12:00:00`)
  const save = useMutation({
    mutationFn: () => readGiftCodes(batch.id),
    onSuccess: (codes) => {
      const { code, link, state, redeemed } = texts.columns
      const rows = codes.map((one) => [
        one.code,
        `${siteOrigin()}${paths.gift(one.code)}`,
        texts.states[one.state] ?? one.state,
        one.redeemed_at?.slice(0, 10) ?? '',
      ])
      download(texts.file(batch.created_at.slice(0, 10)), 'text/csv', csvOf([[code, link, state, redeemed], ...rows]))
    },
    onError: (error) => toast.error(error.message, texts.downloadFailed),
  })
  return (
    <li className={`surface ${classes.row}`}>
      <div className={classes.what}>
        <div className={classes.name}>
          <h3 dir="auto">{name}</h3>
        </div>
        <p className="facts">
          <span>{texts.redeemed(formatCount(batch.redeemed), formatCount(batch.codes))}</span>
          <span>{isOver ? texts.ended(day) : texts.until(day)}</span>
        </p>
      </div>
      <Button
        variant="default"
        loading={save.isPending}
        onClick={() => save.mutate()}
        aria-label={texts.downloadNamed(name)}
      >
        {texts.download}
      </Button>
    </li>
  )
}
