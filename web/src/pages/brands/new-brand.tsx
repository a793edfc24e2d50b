import { api, resultOf } from '../../api/client.ts'
import { brandsQuery } from '../../api/queries.ts'
import { Field, Form, Select, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'
import { sendSmallFile } from '../../uploads/register-upload.ts'

const corners = [
  ['top_right', 'Top right'],
  ['top_left', 'Top left'],
  ['bottom_right', 'Bottom right'],
  ['bottom_left', 'Bottom left'],
] as const

/** Of captions, with those of clips without a brand. */
export const brandColours = [
  { label: 'Text', name: 'colour', usual: '#ffffff' },
  { label: 'Word being spoken', name: 'highlight_colour', usual: '#ffd400' },
  { label: 'Box behind the text', name: 'box_colour', usual: '#000000' },
] as const

export function NewBrand() {
  const create = useAction(async (form: FormData) => {
    const [font, logo] = [await sentFile(form, 'font'), await sentFile(form, 'logo')]
    const [corner] = corners.find(([name]) => name === form.get('logo_position')) ?? corners[0]
    const margin = textOf(form, 'margin')
    const side = Number(margin) / 100
    const chosen = brandColours.filter(({ name, usual }) => textOf(form, name) !== usual)
    const body = {
      name: textOf(form, 'name'),
      ...(font && { font_upload_id: font }),
      ...(logo && { logo_upload_id: logo }),
      logo_position: corner,
      logo_width: Number(textOf(form, 'logo_width')) / 100,
      ...Object.fromEntries(chosen.map(({ name }) => [name, textOf(form, name)])),
      ...(margin && { margins: { top: side, bottom: side, left: side, right: side } }),
    }
    await resultOf(api.POST('/v1/brands', { body }))
  }, brandsQuery)
  return (
    <Panel title="New brand">
      <Form action={create} submit="Create the brand" isEmptied>
        <Field label="Name" name="name" required maxLength={100} autoComplete="off" />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Font" name="font" type="file" accept=".ttf,.otf" hint="TTF or OTF, at most 10 MB." />
          <Field
            label="Logo"
            name="logo"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            hint="PNG, JPEG or WebP. Transparent parts stay transparent."
          />
          <Select label="Corner of the logo" name="logo_position" choices={corners} />
          <Field
            label="Width of the logo, in percent"
            name="logo_width"
            type="number"
            inputMode="decimal"
            required
            min="2"
            max="50"
            step="any"
            defaultValue="12"
            autoComplete="off"
            hint="Of the width of the picture."
          />
          <Field
            label="Space at the edges, in percent"
            name="margin"
            type="number"
            inputMode="decimal"
            min="0"
            max="40"
            step="any"
            placeholder="The usual space"
            autoComplete="off"
            hint="How far captions and logo stay away from each edge."
          />
        </div>
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-2 font-medium">Colours of the captions</legend>
          <div className="grid gap-5 sm:grid-cols-3">
            {brandColours.map(({ label, name, usual }) => (
              <Field key={name} label={label} name={name} type="color" defaultValue={usual} />
            ))}
          </div>
        </fieldset>
      </Form>
    </Panel>
  )
}

/** The id of the upload of a file that was chosen. */
async function sentFile(form: FormData, field: string): Promise<string | undefined> {
  const file = form.get(field)
  return file instanceof File && file.size > 0 ? await sendSmallFile(file) : undefined
}
