import { crc32, inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = Buffer.from("PK\u0005\u0006", "latin1");

/** The files of an archive, by their paths in it, as its central directory tells. */
export function unzipped(zip: Uint8Array): Record<string, Buffer> {
  const bytes = Buffer.from(zip);
  const files: Record<string, Buffer> = {};
  const end = bytes.lastIndexOf(END_OF_DIRECTORY);
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size, nameLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
    ];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const header = bytes.readUInt32LE(at + 42);
    const begin = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const packed = bytes.subarray(begin, begin + size);
    if (!name.endsWith("/")) files[name] = method === 0 ? packed : inflateRawSync(packed);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

/** An archive with these files, stored as they are. */
export function zipped(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const members: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const member = Buffer.concat([LOCAL, fieldsOf(name, content), name, content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([CENTRAL, fieldsOf(name, content), place, name]));
    members.push(member);
    at += member.length;
  }
  const end = Buffer.alloc(22);
  END_OF_DIRECTORY.copy(end);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...members, ...directory, end]);
}

const LOCAL = Buffer.from("PK\u0003\u0004", "latin1");
/** made by a Unix of format 2.0 */
const CENTRAL = Buffer.from("PK\u0001\u0002\u0014\u0003", "latin1");

/** What an entry says of itself at both places: version, flags (names are UTF-8), method, time, sum, sizes, lengths. */
function fieldsOf(name: Buffer, content: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x0800, 2);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
