import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './select-field.module.css'

type Props<Value extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> & {
  label: string
  /** Options of one group stand together at the end, below its name. */
  data: readonly { value: Value; label: string; group?: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A list of options for a narrow place above a list. Plain elements, as the search field beside it. */
export function SelectField<Value extends string>({ label, data, onChange, ...select }: Props<Value>) {
  return (
    <div className={classes.field}>
      <select
        aria-label={label}
        className={classes.select}
        onChange={({ currentTarget }) => {
          const chosen = data.find(({ value }) => value === currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
        {...select}
      >
        {data.filter(({ group }) => !group).map(Option)}
        {[...new Set(data.flatMap(({ group }) => group ?? []))].map((name) => (
          <optgroup key={name} label={name}>
            {data.filter(({ group }) => group === name).map(Option)}
          </optgroup>
        ))}
      </select>
      <IconSelector size={16} stroke={1.75} className={classes.icon} aria-hidden="true" />
    </div>
  )
}

const Option = ({ value, label }: { value: string; label: string }) => (
  <option key={value} value={value}>
    {label}
  </option>
)
