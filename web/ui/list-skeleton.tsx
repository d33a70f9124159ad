import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import classes from './list-skeleton.module.css'

type Props = {
  rows?: number
  /** `line` for a list without cards, in a pane. */
  shape?: 'row' | 'line' | 'post' | 'card'
}

/** A placeholder for a list. It fades in after a moment, so that a fast response causes no flicker. */
export function ListSkeleton({ rows = 3, shape = 'row' }: Props) {
  return (
    <div className={classes.list} data-shape={shape} role="status" aria-label={commonTexts.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <div className={classes.item} key={`row-${String(row)}`}>
          <div className={classes.head}>
            <Skeleton circle height={shape === 'line' ? 48 : 44} />
            <div className={classes.lines}>
              <Skeleton height={12} width="38%" />
              <Skeleton height={10} width="24%" />
            </div>
          </div>
          {(shape === 'post' || shape === 'card') && <Skeleton height={12} width="86%" />}
          {shape === 'post' && <Skeleton height={260} radius="md" />}
          {shape === 'card' && <Skeleton height={34} radius="md" />}
        </div>
      ))}
    </div>
  )
}
