import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import classes from './creator-card.module.css'
import grid from './creator-grid.module.css'

type Props = { cards: number; layout?: 'grid' | 'list' }

/** A placeholder with the style, and so the height, of the cards, so that nothing moves when they load. */
export function CreatorCardsSkeleton({ cards, layout = 'grid' }: Props) {
  return (
    <div className={`${grid[layout]} ${classes.waiting}`} role="status" aria-label={commonTexts.loading}>
      {Array.from({ length: cards }, (_, card) => (
        <div className={`surface ${classes.card}`} data-layout={layout} key={`card-${String(card)}`}>
          <div className={classes.head}>
            <Skeleton circle height={60} />
            <Skeleton height={14} width="45%" />
          </div>
          <div className={classes.text}>
            <Skeleton height={45} />
            <Skeleton height={22} width="60%" />
          </div>
          <div className={classes.counts}>
            <Skeleton height={44} />
            <Skeleton height={44} />
            <Skeleton height={44} />
          </div>
          <div className={classes.foot}>
            <Skeleton height={22} width="6rem" />
          </div>
        </div>
      ))}
    </div>
  )
}
