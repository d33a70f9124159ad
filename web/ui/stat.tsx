import { Skeleton } from '@mantine/core'
import type { ComponentProps, CSSProperties } from 'react'
import classes from './stat.module.css'

/** Numbers with their names, as many in a line as there is room for. */
export function StatList(props: Omit<ComponentProps<'dl'>, 'className'>) {
  return <dl className={classes.stats} {...props} />
}

type Props = {
  label: string
  /** `undefined` while it is on its way. */
  value: string | undefined
  hint?: string | undefined
}

/** One number with its name. */
export function Stat({ label, value, hint }: Props) {
  return (
    <div className={`surface ${classes.stat}`}>
      <dt>{label}</dt>
      <dd style={{ '--letters': value?.length } as CSSProperties}>
        {value === undefined ? <Skeleton height={30} width="60%" /> : value}
        {hint && <span className={classes.hint}>{hint}</span>}
      </dd>
    </div>
  )
}
