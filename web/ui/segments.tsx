import { useId } from 'react'
import classes from './segments.module.css'

type Props<Value extends string> = {
  /** The label; or the id of the element that has it. */
  'aria-label'?: string
  'aria-labelledby'?: string
  data: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  /** Fills the width of its container. */
  fullWidth?: boolean
  readOnly?: boolean
  className?: string | undefined
}

/**
 * A segmented control. Mantine's SegmentedControl measures itself on mount to animate its indicator. That forces a layout of the whole
 * page before the first paint, which took a third of the time to open Explore.
 */
export function Segments<Value extends string>({ data, value, onChange, fullWidth, readOnly, ...rest }: Props<Value>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      {...rest}
      className={`${classes.segments} ${rest.className ?? ''}`}
      data-full-width={fullWidth || undefined}
    >
      {data.map((one) => (
        <label key={one.value} className={classes.segment}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={one.value}
            checked={one.value === value}
            onChange={() => !readOnly && onChange(one.value)}
          />
          <span className={classes.text}>{one.label}</span>
        </label>
      ))}
    </div>
  )
}
