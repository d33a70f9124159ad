import { flowTexts } from '@ovation/contract/texts/flows'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import type { Figures } from './flow-queries.ts'
import classes from './flows.module.css'

const { earned, ...texts } = flowTexts.figures

/** Numbers of a step, or of a whole flow (AUTO-05). */
export function FlowFigures({ figures, shows }: { figures: Figures; shows: readonly (keyof Figures)[] }) {
  return (
    <dl className={classes.figures} aria-label={texts.title}>
      {shows.map((name) => (
        <div key={name}>
          <dt>{name === 'earned_cents' ? earned : texts[name]}</dt>
          <dd>{name === 'earned_cents' ? formatCents(figures[name]) : formatCount(figures[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
