import { ActionIcon } from '@mantine/core'
import { calendarTexts as texts } from '@ovation/contract/texts/calendar'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { addDays, addMonths, longDay, monthOf, monthTitle, weeksOf } from '../lib/format/calendar-days.ts'
import { hasModifier } from './has-modifier.ts'
import classes from './month-calendar.module.css'

export type DayLook = {
  /** Whether it can be chosen. */
  open: boolean
  /** What its name says after the date. */
  note?: string | undefined
  /** A dot below the number, the number crossed out, or a quiet day among others. */
  mark?: 'dot' | 'off' | 'quiet' | undefined
}

type Props = {
  label: string
  /** The first and the last day, as `"2026-03-04"`. */
  min: string
  max: string
  selected: string | undefined
  onSelect: (day: string) => void
  lookOf: (day: string) => DayLook
}

/** Moves the focus by this many days, as in the date pickers of the ARIA Authoring Practices Guide. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A month of days to choose from. One day is in the tab order, and the arrow keys move to the others. */
export function MonthCalendar({ label, min, max, selected, onSelect, lookOf }: Props) {
  const [month, setMonth] = useState(() => monthOf(selected ?? min))
  const [active, setActive] = useState<string>()
  // A day that was chosen elsewhere may be in another month.
  const [followed, setFollowed] = useState(selected)
  if (selected !== followed) {
    setFollowed(selected)
    if (selected) setMonth(monthOf(selected))
  }
  const grid = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  const titleId = useId()
  const days = weeksOf(month)
    .flat()
    .filter((day) => day !== null)
  const reachable =
    [active, selected].find((day) => day && monthOf(day) === month) ??
    days.find((day) => day >= min && day <= max && lookOf(day).open) ??
    days.find((day) => day >= min && day <= max)

  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus()
    moved.current = false
  }, [active])

  const handleKey = (event: KeyboardEvent, from: string) => {
    const to = targetOf(event.key, from)
    if (!to || hasModifier(event)) return
    event.preventDefault()
    const day = to < min ? min : to > max ? max : to
    moved.current = true
    setMonth(monthOf(day))
    setActive(day)
  }
  return (
    <div className={classes.calendar}>
      <div className={classes.head}>
        <Step label={texts.before} disabled={month <= monthOf(min)} onClick={() => setMonth(addMonths(month, -1))}>
          <IconChevronLeft size={18} stroke={1.75} />
        </Step>
        <p id={titleId} className={classes.title} aria-live="polite">
          {monthTitle(month)}
        </p>
        <Step label={texts.after} disabled={month >= monthOf(max)} onClick={() => setMonth(addMonths(month, 1))}>
          <IconChevronRight size={18} stroke={1.75} />
        </Step>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as in the ARIA Authoring Practices Guide */}
      <table ref={grid} role="grid" aria-label={`${label}, ${monthTitle(month)}`} className={classes.grid}>
        <thead>
          <tr>
            {texts.weekdays.map(([short, name]) => (
              <th key={name} scope="col" abbr={name}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a week has no other identity
            <tr key={row}>
              {week.map((day, column) => (
                <td key={day ?? `${row}-${column}`}>
                  {day && (
                    <DayButton
                      day={day}
                      look={day < min || day > max ? { open: false } : lookOf(day)}
                      selected={day === selected}
                      reachable={day === reachable}
                      onSelect={() => {
                        setActive(day)
                        onSelect(day)
                      }}
                      onKey={(event) => handleKey(event, day)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function targetOf(key: string, from: string): string | undefined {
  if (key in steps) return addDays(from, steps[key] ?? 0)
  const weekday = new Date(from).getUTCDay()
  if (key === 'Home') return addDays(from, -weekday)
  if (key === 'End') return addDays(from, 6 - weekday)
  if (key !== 'PageUp' && key !== 'PageDown') return undefined
  const month = addMonths(monthOf(from), key === 'PageUp' ? -1 : 1)
  // The 31st becomes the last day of a shorter month.
  return weeksOf(month)
    .flat()
    .filter((day) => day !== null)
    .findLast((day) => day.slice(8) <= from.slice(8))
}

type StepProps = { label: string; disabled: boolean; onClick: () => void; children: React.ReactNode }

/** At the ends it only looks disabled: the button that was just pressed keeps the focus. */
function Step({ label, disabled, onClick, children }: StepProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      aria-disabled={disabled}
      data-disabled={disabled || undefined}
      onClick={() => disabled || onClick()}
    >
      {children}
    </ActionIcon>
  )
}

type DayButtonProps = {
  day: string
  look: DayLook
  selected: boolean
  reachable: boolean
  onSelect: () => void
  onKey: (event: KeyboardEvent) => void
}

function DayButton({ day, look, selected, reachable, onSelect, onKey }: DayButtonProps) {
  return (
    <button
      type="button"
      className={classes.day}
      data-day={day}
      data-mark={look.mark}
      aria-label={[longDay(day), look.note].filter(Boolean).join(', ')}
      aria-pressed={selected}
      // Not `disabled`: the arrow keys pass it.
      aria-disabled={!look.open}
      tabIndex={reachable ? 0 : -1}
      onClick={() => look.open && onSelect()}
      onKeyDown={onKey}
    >
      {Number(day.slice(8))}
    </button>
  )
}
