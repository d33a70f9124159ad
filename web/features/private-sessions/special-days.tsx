import { Button, Input, Stack, Text } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type Availability,
  type SpecialDay,
  specialDaysQuery,
  timesKey,
} from '../../domain/private-sessions/availability-queries.ts'
import { fromInputs, type HourSpan, hoursText, problemOf, toInputs } from '../../domain/private-sessions/day-hours.ts'
import sessionClasses from '../../domain/private-sessions/sessions.module.css'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { addDays, dateIn, longDay } from '../../lib/format/calendar-days.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { MonthCalendar } from '../../ui/month-calendar.tsx'
import { Segments } from '../../ui/segments.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './availability.module.css'
import { DayHoursFields } from './day-hours-fields.tsx'

const texts = sessionTexts.days

type Props = { creatorId: string; availability: Availability | null }

/** Exceptions: days on which the creator isn't available, or has special hours (LOOP-25). */
export function SpecialDays({ creatorId, availability }: Props) {
  return (
    <section className={`surface ${classes.panel}`} aria-labelledby="special-days">
      <Stack>
        <div>
          <h2 id="special-days" className={sessionClasses.heading}>
            {texts.title}
          </h2>
          <Text c="dimmed">{availability ? texts.hint : texts.first}</Text>
        </div>
        {availability && <Days creatorId={creatorId} availability={availability} />}
      </Stack>
    </section>
  )
}

function Days({ creatorId, availability }: { creatorId: string; availability: Availability }) {
  const today = dateIn(availability.time_zone)
  const special = useQuery(specialDaysQuery(creatorId, today))
  const [chosen, setChosen] = useState<string>()
  const title = useRef<HTMLHeadingElement>(null)
  if (special.isError) return <LoadFailed order={3} title={sessionTexts.hours.loadFailed} of={special} />
  if (!special.data) return <ListSkeleton rows={2} />
  const days = new Map(special.data.map(({ day, hours }) => [day, hours]))
  const usual = (day: string) => availability.weekly[(new Date(day).getUTCDay() + 6) % 7] ?? []
  return (
    <div className={classes.special}>
      <MonthCalendar
        label={texts.calendar}
        min={today}
        max={addDays(today, 365)}
        selected={chosen}
        onSelect={setChosen}
        lookOf={(day) => {
          const hours = days.get(day)
          if (!hours) return { open: true, mark: usual(day).length > 0 ? undefined : 'quiet' }
          return hours.length > 0
            ? { open: true, mark: 'dot', note: texts.other }
            : { open: true, mark: 'off', note: texts.off }
        }}
      />
      <Stack gap="xl">
        {chosen && (
          <DayForm
            key={chosen}
            titleRef={title}
            creatorId={creatorId}
            day={chosen}
            special={days.get(chosen)}
            usual={usual(chosen)}
          />
        )}
        <Upcoming
          days={special.data}
          onChoose={(day) => {
            flushSync(() => setChosen(day))
            // The form is above the list, perhaps out of view.
            title.current?.focus()
          }}
        />
      </Stack>
    </div>
  )
}

function Upcoming({ days, onChoose }: { days: SpecialDay[]; onChoose: (day: string) => void }) {
  return (
    <div>
      <h3 className={classes.dayTitle}>{texts.list}</h3>
      {days.length === 0 && <Text c="dimmed">{texts.empty}</Text>}
      <ul className={classes.upcoming}>
        {days.map(({ day, hours }) => (
          <li key={day}>
            <Button
              variant="subtle"
              size="compact-md"
              mx="-0.5rem"
              color="gray"
              onClick={() => onChoose(day)}
              aria-label={texts.edit(longDay(day))}
            >
              {longDay(day)}
            </Button>
            <span>{hours.length > 0 ? hoursText(hours) : texts.off}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const kinds = ['usual', 'off', 'other'] as const
type Kind = (typeof kinds)[number]
type Values = { kind: Kind; hours: HourSpan[] }

type DayFormProps = {
  titleRef: RefObject<HTMLHeadingElement | null>
  creatorId: string
  day: string
  special: HourSpan[] | undefined
  usual: HourSpan[]
}

function DayForm({ titleRef, creatorId, day, special, usual }: DayFormProps) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: {
      kind: special ? (special.length > 0 ? 'other' : 'off') : 'usual',
      hours: toInputs(special?.length ? special : usual),
    },
    validate: {
      hours: (hours, { kind }) => {
        if (kind !== 'other') return null
        if (hours.length === 0) return texts.missing
        const problem = problemOf(hours)
        return problem && sessionTexts.hours.errors[problem]
      },
    },
    draft: { key: `session-day:${creatorId}:${day}` },
  })
  const save = useMutation({
    mutationFn: async ({ kind, hours }: Values) => {
      const days = supabase.from('session_days')
      await (kind === 'usual'
        ? days.delete().eq('creator_id', creatorId).eq('day', day)
        : days.upsert({ creator_id: creatorId, day, hours: kind === 'off' ? [] : fromInputs(hours) })
      ).throwOnError()
    },
    onSuccess: () => {
      form.forgetDraft()
      toast.success(texts.saved)
      return Promise.all(
        [['session-days', creatorId], timesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    },
  })
  const { kind, hours } = form.values
  return (
    <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
      <Stack gap="sm">
        <h3 ref={titleRef} tabIndex={-1} className={classes.dayTitle}>
          {longDay(day)}
        </h3>
        <Segments
          aria-label={texts.kind}
          data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
          value={kind}
          onChange={(value) => form.setFieldValue('kind', value)}
          readOnly={save.isPending}
          fullWidth
        />
        {kind === 'usual' && <Text c="dimmed">{usual.length > 0 ? hoursText(usual) : sessionTexts.hours.none}</Text>}
        {kind === 'other' && (
          <Input.Wrapper label={texts.hours} labelElement="div">
            <DayHoursFields
              day={longDay(day)}
              name="hours"
              value={hours}
              onChange={(spans) => form.setFieldValue('hours', spans)}
              onBlur={() => form.errors.hours && form.validateField('hours')}
              error={form.errors.hours}
              readOnly={save.isPending}
            />
          </Input.Wrapper>
        )}
        <FormFailure title={texts.saveFailed} message={save.error ? errorMessageOf(save.error) : undefined} />
        {/* Not filled: the screen's primary action saves the weekly hours. */}
        <Button type="submit" variant="default" loading={save.isPending} ml="auto">
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}
