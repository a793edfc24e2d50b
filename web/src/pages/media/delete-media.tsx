import { api, resultOf } from '../../api/client.ts'
import { type Upload, uploadsQuery } from '../../api/queries.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

export function DeleteMedia({ id, name }: Upload) {
  const remove = () => resultOf(api.DELETE('/v1/uploads/{upload_id}', { params: { path: { upload_id: id } } }))
  return (
    <ConfirmDialog
      open="Delete"
      openLabel={`Delete ${name}`}
      title={`Delete ${name}?`}
      confirm="Delete the file"
      work={remove}
      changes={uploadsQuery}
    >
      Nobody can play it or cut it any more. What was found in it, and the files that were cut from it, stay among your
      jobs.
    </ConfirmDialog>
  )
}
