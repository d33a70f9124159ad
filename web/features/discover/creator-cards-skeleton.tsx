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
          <Skeleton height="auto" radius={0} />
          <div className={classes.body}>
            <div className={classes.head}>
              <div className={classes.avatar}>
                <Skeleton circle height={60} />
              </div>
              <div className={classes.names}>
                <Skeleton height={46} width="8rem" />
              </div>
            </div>
            <div className={classes.text}>
              <Skeleton height={45} />
              <Skeleton height={22} width="60%" />
              <Skeleton height={20} width="75%" />
            </div>
            <div className={classes.foot}>
              <Skeleton height={22} width="6rem" />
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
