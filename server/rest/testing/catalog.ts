import { buildCatalog } from '../catalog/load.ts'
import type { ColumnRow, ConstraintRow, RelationRow, RoutineRow } from '../catalog/queries.ts'

/** A hand-made catalog: books, their authors, covers, and subjects. For tests of the stages that need no database. */
export function libraryCatalog() {
  const relation = (oid: string, name: string, rule: string | null = null): RelationRow => ({
    oid,
    schema: 'library',
    name,
    isView: rule !== null,
    insertable: true,
    updatable: true,
    deletable: true,
    description: null,
    rule,
  })
  const columns = (oid: string, list: Record<string, string>): ColumnRow[] =>
    Object.entries(list).map(([name, type], index) => ({
      oid,
      number: index + 1,
      name,
      type,
      nullable: true,
      default: name === 'tags' ? "'{}'::text[]" : null,
      enumeration: null,
      description: null,
    }))
  const key = (name: string, oid: string, ...numbers: number[]): ConstraintRow => ({
    name,
    kind: 'p',
    oid,
    targetOid: '0',
    columns: numbers,
    targetColumns: null,
  })
  const foreign = (name: string, oid: string, column: number, targetOid: string): ConstraintRow => ({
    name,
    kind: 'f',
    oid,
    targetOid,
    columns: [column],
    targetColumns: [1],
  })
  const routine = (name: string, parameters: RoutineRow['parameters'], more: Partial<RoutineRow> = {}): RoutineRow => ({
    schema: 'library',
    name,
    description: null,
    volatility: 's',
    setOf: false,
    oneRow: false,
    parameters,
    resultColumns: null,
    defaults: 0,
    isVoid: false,
    isComposite: false,
    returnType: 'integer',
    returnOid: null,
    ...more,
  })
  const parameter = (name: string, type: string) => ({ name, type, typeOid: '0', mode: 'i' as const })
  return buildCatalog(
    ['library'],
    [
      relation('1', 'authors'),
      relation('2', 'books'),
      relation('3', 'covers'),
      relation('4', 'subjects'),
      relation('5', 'book_subjects'),
      relation(
        '6',
        'titles',
        '({QUERY :targetList ({TARGETENTRY :expr {VAR} :resno 1 :resname id :resorigtbl 2 :resorigcol 1 :resjunk false} {TARGETENTRY :expr {CASEEXPR} :resno 2 :resname title :resorigtbl 0 :resorigcol 0 :resjunk false}) :jointree <>})',
      ),
    ],
    [
      ...columns('1', { id: 'integer', name: 'text' }),
      ...columns('2', { id: 'integer', title: 'text', author_id: 'integer', data: 'jsonb', tags: 'text[]' }),
      ...columns('3', { book_id: 'integer', url: 'text' }),
      ...columns('4', { id: 'integer', name: 'text' }),
      ...columns('5', { book_id: 'integer', subject_id: 'integer' }),
      ...columns('6', { id: 'integer', title: 'text' }),
    ],
    [
      key('authors_pkey', '1', 1),
      key('books_pkey', '2', 1),
      key('covers_pkey', '3', 1),
      key('subjects_pkey', '4', 1),
      key('book_subjects_pkey', '5', 1, 2),
      foreign('books_author_id_fkey', '2', 3, '1'),
      foreign('covers_book_id_fkey', '3', 1, '2'),
      foreign('book_subjects_book_id_fkey', '5', 1, '2'),
      foreign('book_subjects_subject_id_fkey', '5', 2, '4'),
    ],
    [
      routine('add', [parameter('a', 'integer'), parameter('b', 'integer')], { defaults: 1 }),
      routine('find', [parameter('words', 'text')], {
        setOf: true,
        isComposite: true,
        returnType: 'library.books',
        returnOid: '2',
      }),
    ],
  )
}
