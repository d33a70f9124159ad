import { ActionIcon, Badge, Button, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/sessions'
import { IconCalendarTime, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Offer, offersQuery, ownSlotsQuery, type Slot, slotsKey } from '../../domain/sessions/queries.ts'
import classes from '../../domain/sessions/sessions.module.css'
import { byDay, dayOf, momentOf, ownZone, spanOf, startsOf } from '../../domain/sessions/times.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { localDate } from '../../lib/format/local-time.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'

const texts = sessionTexts.times
const exclusionViolation = '23P01'
const yearMs = 365 * 86_400_000
const upToTwelve = {
  allowDecimal: false,
  allowNegative: false,
  inputMode: 'numeric',
  min: 1,
  max: 12,
  clampBehavior: 'none',
} as const

/** PRIV-02: the creator's bookable slots, in the creator's time zone. */
export default function TimesTab({ creatorId }: { creatorId: string }) {
  const offers = useQuery(offersQuery(creatorId, { active: true }))
  const slots = useQuery(ownSlotsQuery(creatorId))
  const keptFocus = useKeptFocus()
  const failed = failedOf(offers, slots)
  if (failed.length > 0) return <LoadFailed title={texts.loadFailed} of={failed} />
  if (!offers.data || !slots.data) return <ListSkeleton rows={3} />
  if (offers.data.length === 0 && slots.data.length === 0)
    return (
      <EmptyState
        icon={<IconCalendarTime size={26} stroke={1.5} />}
        {...texts.noOffer}
        action={
          <Button component={Link} to="?tab=offers">
            {sessionTexts.bookings.emptyCreator.action}
          </Button>
        }
      />
    )
  return (
    <div {...keptFocus} className={classes.sections}>
      {offers.data.length > 0 && (
        <section className={`surface ${classes.panel}`} aria-labelledby="new-times">
          <h2 id="new-times" className={classes.heading}>
            {texts.title}
          </h2>
          <TimesForm offers={offers.data} creatorId={creatorId} />
        </section>
      )}
      <section aria-labelledby="times">
        <h2 id="times" className={classes.heading}>
          {texts.list}
        </h2>
        {slots.data.length === 0 ? (
          <p className={classes.secondary}>
            {texts.empty.title}. {texts.empty.message}
          </p>
        ) : (
          <SlotList slots={slots.data} offers={offers.data} />
        )}
      </section>
    </div>
  )
}

type Values = { offer: string; date: string; start: string; count: number | string; weeks: number | string }

function TimesForm({ offers, creatorId }: { offers: Offer[]; creatorId: string }) {
  const queryClient = useQueryClient()
  const minutesOf = (id: string) => offers.find((offer) => offer.id === id)?.duration_minutes ?? 0
  const seriesOf = (values: Values) =>
    startsOf({
      date: values.date,
      start: values.start,
      minutes: minutesOf(values.offer),
      count: Number(values.count),
      weeks: Number(values.weeks),
    })
  const form = useAppForm<Values>({
    initialValues: { offer: offers[0]?.id ?? '', date: '', start: '', count: 1, weeks: 1 },
    validate: {
      offer: (value) => (minutesOf(value) > 0 ? null : texts.errors.offer),
      date: (value) => (isDayToCome(value) ? null : texts.errors.date),
      start: (value, { date }) => (new Date(`${date}T${value}`).getTime() > Date.now() ? null : texts.errors.start),
      count: (value) => (isUpTo12(value) ? null : texts.errors.count),
      weeks: (value) => (isUpTo12(value) ? null : texts.errors.weeks),
    },
    draft: { key: `session-times:${creatorId}` },
  })
  const add = useMutation({
    mutationFn: async (values: Values) => {
      const rows = seriesOf(values).map((start) => ({ offer_id: values.offer, starts_at: start.toISOString() }))
      const { error } = await supabase.from('session_slots').insert(rows as never)
      if (error) throw error.code === exclusionViolation ? new Error(texts.overlap) : error
      return rows.length
    },
    onSuccess: (count) => {
      form.forgetDraft()
      form.setFieldValue('start', '')
      toast.success(texts.added(count))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: slotsKey }),
  })
  const { values } = form
  const count = isUpTo12(values.count) && isUpTo12(values.weeks) ? Number(values.count) * Number(values.weeks) : 0
  const busy = { readOnly: add.isPending }
  return (
    <form onSubmit={form.handleSubmit((sent) => add.mutateAsync(sent))} noValidate>
      <Stack>
        <NativeSelect
          label={texts.offer}
          data={offers.map(({ id, title, duration_minutes }) => ({
            value: id,
            label: `${title} (${sessionTexts.minutes(duration_minutes)})`,
          }))}
          {...form.getInputProps('offer')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            type="date"
            label={texts.date}
            description={sessionTexts.zone(ownZone())}
            min={localDate(new Date())}
            required
            {...busy}
            {...form.getInputProps('date')}
          />
          <TextInput
            type="time"
            label={texts.start}
            description={texts.preview(count)}
            required
            {...busy}
            {...form.getInputProps('start')}
          />
          <NumberInput
            label={texts.count.label}
            description={texts.count.hint}
            {...upToTwelve}
            {...busy}
            {...form.getInputProps('count')}
          />
          <NumberInput
            label={texts.weeks.label}
            description={texts.weeks.hint}
            {...upToTwelve}
            {...busy}
            {...form.getInputProps('weeks')}
          />
        </SimpleGrid>
        <FormFoot submit={texts.submit} pending={add.isPending} failed={texts.failed} error={add.error} />
      </Stack>
    </form>
  )
}

const isUpTo12 = (value: number | string): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 12

function isDayToCome(date: string): boolean {
  const end = new Date(`${date}T23:59:59`).getTime()
  return end >= Date.now() && end <= Date.now() + yearMs
}

function SlotList({ slots, offers }: { slots: Slot[]; offers: Offer[] }) {
  return (
    <div className={classes.days}>
      {byDay(slots).map(({ date, rows }) => (
        <div key={date} className={classes.day}>
          <h3 className={classes.date}>{rows[0] && dayOf(rows[0].starts_at)}</h3>
          <ul className={`surface ${classes.slots}`}>
            {rows.map((slot) => (
              <SlotRow key={slot.id} slot={slot} title={offers.find(({ id }) => id === slot.offer_id)?.title} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

function SlotRow({ slot, title }: { slot: Slot; title: string | undefined }) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.from('session_slots').delete().eq('id', slot.id).throwOnError()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.removeFailed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: slotsKey }),
  })
  const state = stateOf(slot)
  return (
    <li className={classes.slot}>
      <span className={classes.text}>
        <time dateTime={slot.starts_at}>{spanOf(slot.starts_at, slot.ends_at)}</time>
        {title && (
          <Text span size="sm" c="dimmed" display="block">
            {title}
          </Text>
        )}
      </span>
      <Badge
        variant="light"
        color={state === 'free' ? 'gray' : state === 'held' ? 'yellow' : 'teal'}
        className={classes.badge}
        data-state={state === 'booked' ? 'accepted' : state}
      >
        {texts[state]}
      </Badge>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.removeNamed(momentOf(slot.starts_at))}
        title={texts.remove}
        onClick={() => remove.mutate()}
        loading={remove.isPending}
        disabled={state !== 'free'}
      >
        <IconTrash size={18} stroke={1.6} />
      </ActionIcon>
    </li>
  )
}

/** `held_until` is when a hold ends, or `infinity` once the slot is booked. */
function stateOf({ held_until }: Slot): 'free' | 'held' | 'booked' {
  if (held_until === 'infinity') return 'booked'
  return Date.parse(held_until) > Date.now() ? 'held' : 'free' // -infinity isn't a valid date, so it is free
}
