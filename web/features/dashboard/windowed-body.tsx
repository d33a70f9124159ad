import { Table } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { useWindowRows } from './use-window-rows.ts'

/** Measure the row and give its index to screen readers. */
export type RowAttributes = { ref: Ref<HTMLTableRowElement>; 'data-index': number; 'aria-rowindex': number }

type Props<Row> = {
  rows: Row[]
  /** The number of rows above, including headers. */
  above: number
  children: (row: Row, attributes: RowAttributes) => ReactNode
}

/** The body of a virtualized table: the rows near the viewport, and space for the others. */
export function WindowedBody<Row>({ rows, above, children }: Props<Row>) {
  const { box, rows: shown, before, after } = useWindowRows<HTMLTableSectionElement>(rows.length, 57)
  return (
    <>
      <Spacer ref={box} height={before} />
      <Table.Tbody>
        {shown.map(({ index, attributes }) => {
          const row = rows[index]
          return row && children(row, { ...attributes, 'aria-rowindex': above + index + 1 })
        })}
      </Table.Tbody>
      <Spacer height={after} />
    </>
  )
}

const Spacer = ({ ref, height }: { ref?: Ref<HTMLTableSectionElement>; height: number }) => (
  <tbody ref={ref} aria-hidden="true">
    <tr>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  </tbody>
)
