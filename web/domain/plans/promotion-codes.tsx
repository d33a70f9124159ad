import { Badge, Button, Text } from '@mantine/core'
import { promotionTexts as texts } from '@ovation/contract/texts/promotion-codes'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './creator-plans.module.css'
import { PromotionForm } from './promotion-form.tsx'
import { type Promotion, promotionCodesKey, promotionCodesQuery } from './queries.ts'

/** A creator's promotion codes, and the form for a new one. */
export function PromotionCodes({ creatorId }: { creatorId: string }) {
  const codes = useQuery(promotionCodesQuery)
  return (
    <section aria-labelledby="promotion-codes">
      <h2 id="promotion-codes" className={classes.heading}>
        {texts.title}
      </h2>
      <Text c="dimmed" mb="md">
        {texts.introduction}
      </Text>
      {codes.isPending && <ListSkeleton rows={1} />}
      {codes.isError && <LoadFailed title={texts.loadFailed} of={codes} />}
      {codes.data?.length === 0 && <Text>{texts.none}</Text>}
      {codes.data && codes.data.length > 0 && (
        <ul className={classes.list}>
          {codes.data.map((code) => (
            <CodeRow key={code.id} promotion={code} />
          ))}
        </ul>
      )}
      <PromotionForm creatorId={creatorId} />
    </section>
  )
}

function CodeRow({ promotion }: { promotion: Promotion }) {
  const { id, code, percentOff, amountOffCents, duration, durationMonths, expiresAt, isActive } = promotion
  const isOver = expiresAt !== null && new Date(expiresAt) <= new Date()
  const queryClient = useQueryClient()
  const retire = useMutation({
    mutationFn: () => callFunction('retire-promotion-code', { id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: promotionCodesKey }),
    onError: (error) => toast.error(error.message, texts.error),
  })
  const lasts = durationMonths === null ? texts.durations[duration] : texts.months(durationMonths)
  return (
    <li className={`surface ${classes.row}`} data-inactive={!isActive || isOver || undefined}>
      <div className={classes.what}>
        <div className={classes.name}>
          <h3>{code}</h3>
          {(!isActive || isOver) && (
            <Badge variant="light" color="gray">
              {isActive ? texts.over : texts.retired}
            </Badge>
          )}
        </div>
        <Text c="dimmed">
          {texts.line(percentOff, amountOffCents === null ? null : formatCents(amountOffCents), lasts)}
          {expiresAt !== null && ` · ${texts.until(formatDate(expiresAt))}`}
        </Text>
      </div>
      {isActive && (
        <Button
          variant="default"
          loading={retire.isPending}
          onClick={() => retire.mutate()}
          aria-label={texts.retireNamed(code)}
        >
          {texts.retire}
        </Button>
      )}
    </li>
  )
}
