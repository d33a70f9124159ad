import { TableFrame } from '../../../ui/table-frame.tsx'
import classes from './operations.module.css'

type Props = {
  /** The accessible name; the visible title is above the table. */
  caption: string
  head: readonly [first: string, ...figures: string[]]
  /** Each has a cell for each entry of `head`. The first cell is unique. */
  rows: readonly (readonly [key: string, ...figures: string[]])[]
}

/** Numbers by day or by queue. If it is too wide for a phone, it scrolls in its frame, also with the arrow keys. */
export function FiguresTable({ caption, head: [first, ...names], rows }: Props) {
  return (
    <TableFrame className={classes.frame ?? ''} aria-label={caption}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {names.map((name) => (
              <th key={name} scope="col" data-number>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, ...figures]) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              {figures.map((figure, index) => (
                <td key={names[index]} data-number>
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
