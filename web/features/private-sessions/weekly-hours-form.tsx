import { Button, NativeSelect, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { sessionBufferMaxMinutes, sessionHorizonMaxDays, sessionNoticeMaxHours } from '@ovation/contract/limits'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconCopy } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Availability, availabilityQuery, timesKey } from '../../domain/private-sessions/availability-queries.ts'
import { fromInputs, type HourSpan, problemOf, toInputs, weekdays } from '../../domain/private-sessions/day-hours.ts'
import sessionClasses from '../../domain/private-sessions/sessions.module.css'
import { supabase } from '../../lib/api/supabase.ts'
import { ownZone } from '../../lib/format/local-time.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './availability.module.css'
import { DayHoursFields } from './day-hours-fields.tsx'

const texts = sessionTexts.hours
const foreignKeyViolation = '23503'
const wholeNumber = { allowDecimal: false, allowNegative: false, inputMode: 'numeric', clampBehavior: 'none' } as const

type Weekday = (typeof weekdays)[number]
type Values = Record<Weekday, HourSpan[]> & {
  zone: string
  buffer: number | string
  notice: number | string
  horizon: number | string
}

const undecided: Availability = {
  time_zone: ownZone(),
  weekly: weekdays.map(() => []),
  buffer_minutes: 0,
  notice_hours: 24,
  horizon_days: 60,
}
const isFrom =
  (min: number, max: number, message: string) =>
  (value: number | string): string | null =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? null : message

/** The hours of each weekday in the creator's time zone, and what applies to all bookings. */
export function WeeklyHoursForm({ creatorId, saved }: { creatorId: string; saved: Availability | null }) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: valuesOf(saved ?? undecided),
    validate: {
      ...byWeekday(() => (spans: HourSpan[]) => {
        const problem = problemOf(spans)
        return problem && texts.errors[problem]
      }),
      buffer: isFrom(0, sessionBufferMaxMinutes, texts.errors.buffer),
      notice: isFrom(0, sessionNoticeMaxHours, texts.errors.notice),
      horizon: isFrom(1, sessionHorizonMaxDays, texts.errors.horizon),
    },
    draft: { key: `session-hours:${creatorId}` },
  })
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const row: Availability = {
        time_zone: values.zone,
        weekly: weekdays.map((day) => fromInputs(values[day])),
        buffer_minutes: Number(values.buffer),
        notice_hours: Number(values.notice),
        horizon_days: Number(values.horizon),
      }
      const { error } = await supabase.from('session_availability').upsert({ creator_id: creatorId, ...row })
      if (error) throw error.code === foreignKeyViolation ? new Error(texts.errors.zone) : error
      return row
    },
    onSuccess: (row) => {
      form.forgetDraft()
      queryClient.setQueryData(availabilityQuery(creatorId).queryKey, row)
      toast.success(texts.saved)
      return queryClient.invalidateQueries({ queryKey: timesKey })
    },
  })
  const { values } = form
  const busy = { readOnly: save.isPending }
  const copyToWeekdays = (from: Weekday) => {
    for (const day of weekdays.slice(0, 5)) form.setFieldValue(day, structuredClone(values[from]) as never)
  }
  return (
    <form
      className={`surface ${classes.panel}`}
      aria-labelledby="weekly-hours"
      onSubmit={form.handleSubmit((sent) => save.mutateAsync(sent))}
      noValidate
    >
      <Stack>
        <div>
          <h2 id="weekly-hours" className={sessionClasses.heading}>
            {texts.title}
          </h2>
          <Text c="dimmed">{texts.hint}</Text>
        </div>
        <NativeSelect
          label={texts.zone}
          description={texts.zoneHint}
          data={zonesWith(values.zone)}
          disabled={save.isPending}
          maw="22rem"
          {...form.getInputProps('zone')}
        />
        <ul className={classes.week}>
          {weekdays.map((day) => (
            <li key={day} className={classes.weekday}>
              <h3 className={classes.name}>{day}</h3>
              <DayHoursFields
                day={day}
                name={day}
                value={values[day]}
                onChange={(spans) => form.setFieldValue(day, spans as never)}
                onBlur={() => form.errors[day] && form.validateField(day)}
                error={form.errors[day]}
                {...busy}
              />
              {values[day].length > 0 && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  mt="0.25rem"
                  leftSection={<IconCopy size={15} stroke={1.75} aria-hidden="true" />}
                  aria-label={texts.copyNamed(day)}
                  disabled={save.isPending}
                  onClick={() => copyToWeekdays(day)}
                >
                  {texts.copy}
                </Button>
              )}
            </li>
          ))}
        </ul>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {(['buffer', 'notice', 'horizon'] as const).map((name) => (
            <NumberInput
              key={name}
              label={texts[name].label}
              description={texts[name].hint}
              hideControls
              {...wholeNumber}
              {...busy}
              {...form.getInputProps(name)}
            />
          ))}
        </SimpleGrid>
        <FormFoot submit={texts.submit} pending={save.isPending} failed={texts.saveFailed} error={save.error} />
      </Stack>
    </form>
  )
}

const byWeekday = <T,>(of: (day: Weekday, at: number) => T): Record<Weekday, T> =>
  Object.fromEntries(weekdays.map((day, at) => [day, of(day, at)])) as Record<Weekday, T>

const valuesOf = (saved: Availability): Values => ({
  ...byWeekday((_day, at) => toInputs(saved.weekly[at] ?? [])),
  zone: saved.time_zone,
  buffer: saved.buffer_minutes,
  notice: saved.notice_hours,
  horizon: saved.horizon_days,
})

/** All time zones by region, with `zone` among them. */
function zonesWith(zone: string): { group: string; items: { value: string; label: string }[] }[] {
  const names = new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])
  const groups = Map.groupBy([...names].toSorted(), (name) => (name.includes('/') ? name.split('/')[0] : 'UTC'))
  return [...groups].map(([group = '', items]) => ({
    group,
    items: items.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  }))
}
