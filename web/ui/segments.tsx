import { useId } from 'react'
import classes from './segments.module.css'

type Props<Value extends string> = {
  /** What is chosen; or the id of the element that says so. */
  'aria-label'?: string
  'aria-labelledby'?: string
  data: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  /** As wide as what it stands in. */
  fullWidth?: boolean
  readOnly?: boolean
  className?: string | undefined
}

/**
 * One of a few, side by side. Mantine's own measures its parts as it is drawn, to slide its mark from one to the other: the whole page is laid
 * out for that before it is shown, a third of what Explore took to open.
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
          <span className={classes.words}>{one.label}</span>
        </label>
      ))}
    </div>
  )
}
