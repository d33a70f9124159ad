import { ActionIcon, Button, Input } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId } from 'react'
import { type HourSpan, nextSpan } from '../../domain/private-sessions/day-hours.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './availability.module.css'

const texts = sessionTexts.hours

type Props = {
  /** The weekday or the day, in the names of the fields. */
  day: string
  value: HourSpan[]
  onChange: (spans: HourSpan[]) => void
  onBlur?: () => void
  /** The name of the field in its form, which focuses it when it is invalid. */
  name: string
  error: React.ReactNode
  readOnly: boolean
}

/** The hours of one day: from and to, as often as needed. */
export function DayHoursFields({ day, value, onChange, onBlur, name, error, readOnly }: Props) {
  const errorId = useId()
  const next = nextSpan(value)
  const change = (at: number, part: Partial<HourSpan>) =>
    onChange(value.map((span, n) => (n === at ? { ...span, ...part } : span)))
  const fieldOf = (at: number, part: keyof HourSpan, label: string) => (
    <Input
      type="time"
      aria-label={label}
      value={value[at]?.[part] ?? ''}
      onChange={(event) => change(at, { [part]: event.currentTarget.value })}
      onBlur={onBlur}
      error={Boolean(error)}
      // One error describes all fields of the day, which Mantine's own attributes can't say.
      withAria={false}
      aria-invalid={Boolean(error)}
      aria-describedby={error ? errorId : undefined}
      data-path={name}
      readOnly={readOnly}
      className={classes.time}
    />
  )
  return (
    <div {...useKeptFocus('button')} className={classes.spans} data-empty={value.length === 0 || undefined}>
      {value.length === 0 && <p className={classes.none}>{texts.none}</p>}
      {value.map((_span, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day have no other identity
        <div key={at} className={classes.span}>
          {fieldOf(at, 'start', numbered(texts.from(day), at))}
          <span aria-hidden="true">–</span>
          {fieldOf(at, 'end', numbered(texts.to(day), at))}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={texts.remove(day, at + 1)}
            disabled={readOnly}
            onClick={() => onChange(value.filter((_other, n) => n !== at))}
          >
            <IconX size={17} stroke={1.75} />
          </ActionIcon>
        </div>
      ))}
      {error && <Input.Error id={errorId}>{error}</Input.Error>}
      {next && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={15} stroke={2} aria-hidden="true" />}
          aria-label={texts.addNamed(day)}
          disabled={readOnly}
          onClick={() => onChange([...value, next])}
          className={classes.add}
        >
          {texts.add}
        </Button>
      )}
    </div>
  )
}

const numbered = (label: string, at: number): string => (at === 0 ? label : `${label} (${at + 1})`)
