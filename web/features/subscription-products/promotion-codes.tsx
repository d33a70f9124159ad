import { Badge, Button, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core'
import { promotionTexts as texts } from '@ovation/contract/texts/promotion-codes'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formatCents, formatDate } from '../../lib/format.ts'
import { callFunction } from '../../lib/functions.ts'
import { toLocalInput } from '../../lib/local-time.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './products-screen.module.css'

type Duration = keyof typeof texts.durations
type Promotion = {
  id: string
  code: string
  percentOff: number | null
  amountOffCents: number | null
  duration: Duration
  durationMonths: number | null
  expiresAt: string | null
  isActive: boolean
}

const codesKey = ['promotion-codes'] as const
const codesQuery = queryOptions({
  queryKey: codesKey,
  queryFn: async () => (await callFunction<{ promotionCodes: Promotion[] }>('list-promotion-codes')).promotionCodes,
})

/** A creator's codes, and the form of a new one. */
export function PromotionCodes() {
  const codes = useQuery(codesQuery)
  return (
    <section aria-labelledby="promotion-codes">
      <h2 id="promotion-codes" className={classes.heading}>
        {texts.title}
      </h2>
      <Text c="dimmed" mb="md">
        {texts.introduction}
      </Text>
      {codes.isPending && <ListSkeleton rows={1} />}
      {codes.isError && (
        <ErrorState title={texts.loadFailed} onRetry={() => codes.refetch()} retrying={codes.isFetching} />
      )}
      {codes.data?.length === 0 && <Text>{texts.none}</Text>}
      {codes.data && codes.data.length > 0 && (
        <ul className={classes.list}>
          {codes.data.map((code) => (
            <CodeRow key={code.id} promotion={code} />
          ))}
        </ul>
      )}
      <NewCode />
    </section>
  )
}

function CodeRow({ promotion }: { promotion: Promotion }) {
  const { id, code, percentOff, amountOffCents, duration, durationMonths, expiresAt, isActive } = promotion
  const isOver = expiresAt !== null && new Date(expiresAt) <= new Date()
  const queryClient = useQueryClient()
  const retire = useMutation({
    mutationFn: () => callFunction('retire-promotion-code', { id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: codesKey }),
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

const months = 3

/** The last moment of a day, `"2026-03-04"`, in the viewer's own zone. */
const endOf = (day: string) => new Date(`${day}T23:59:59`)

function NewCode() {
  const queryClient = useQueryClient()
  const [code, setCode] = useState('')
  const [percentOff, setPercentOff] = useState<number | string>(20)
  const [duration, setDuration] = useState<Duration>('once')
  const [limit, setLimit] = useState<number | string>('')
  const [lastDay, setLastDay] = useState('')
  const create = useMutation({
    mutationFn: () =>
      callFunction<{ promotionCode: Promotion }>('create-promotion-code', {
        code,
        percentOff: Number(percentOff),
        duration,
        ...(duration === 'repeating' && { durationMonths: months }),
        ...(limit !== '' && { maxRedemptions: Number(limit) }),
        ...(lastDay !== '' && { expiresAt: endOf(lastDay).toISOString() }),
      }),
    onSuccess: async ({ promotionCode }) => {
      await queryClient.invalidateQueries({ queryKey: codesKey })
      toast.success(texts.created(promotionCode.code))
      setCode('')
      setLastDay('')
    },
    onError: (error) => toast.error(error.message, texts.error),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: '1rem', maxWidth: '28rem', marginTop: '1.5rem' }}>
      <TextInput
        label={texts.code}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
        maxLength={30}
        autoComplete="off"
        required
      />
      <NumberInput
        label={texts.percent}
        value={percentOff}
        onChange={setPercentOff}
        min={1}
        max={100}
        suffix=" %"
        required
      />
      <NativeSelect
        label={texts.duration}
        value={duration}
        onChange={(event) => setDuration(event.currentTarget.value as Duration)}
        data={Object.entries(texts.durations).map(([value, label]) => ({ value, label }))}
      />
      <NumberInput label={texts.limit} description={texts.limitHint} value={limit} onChange={setLimit} min={1} />
      <TextInput
        type="date"
        label={texts.lastDay}
        description={texts.lastDayHint}
        min={toLocalInput(new Date()).slice(0, 10)}
        value={lastDay}
        onChange={(event) => setLastDay(event.currentTarget.value)}
      />
      <Button type="submit" loading={create.isPending} disabled={code === ''}>
        {texts.create}
      </Button>
    </form>
  )
}
