import { Skeleton } from '@mantine/core'
import type { ComponentProps, CSSProperties, ReactNode } from 'react'
import classes from './stat.module.css'

/** Labeled numbers, as many per line as fit. */
export function StatList(props: Omit<ComponentProps<'dl'>, 'className'>) {
  return <dl className={classes.stats} {...props} />
}

type Props = {
  label: ReactNode
  /** `undefined` while it loads. */
  value: string | undefined
  hint?: string | undefined
}

/** One labeled number. */
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
