import { z } from "zod";
import { op } from "../../define.ts";
import { text } from "../fields.ts";
import {
  CloudProfileImage,
  CloudProfileMachineType,
  CloudProfileObj,
  CloudProfileRegion,
} from "./cluster-resources.ts";

/** What clusters can be made of; part of the area `clusters`. */
export const cloudProfileRows = {
  cloudProfile: op(
    "GET /cluster/cloudprofile/{cloudprofilename}",
    "cluster_cloud_profile-get",
    "Read one cloud profile",
    { out: z.array(CloudProfileObj) },
  ),
  images: op(
    "GET /cluster/cloudprofile/{cloudprofilename}/images",
    "cluster_images-get",
    "List the machine images of a cloud profile",
    { out: z.array(CloudProfileImage) },
  ),
  kubernetesVersions: op(
    "GET /cluster/cloudprofile/{cloudprofilename}/kubernetes-versions",
    "cluster_kubernetes_versions-get",
    "List the Kubernetes versions of a cloud profile",
    { out: z.object({ defaultVersion: z.string(), versions: z.array(z.unknown()) }) },
  ),
  machineTypes: op(
    "GET /cluster/cloudprofile/{cloudprofilename}/machine-types",
    "cluster_machine_types-get",
    "List the machine types of a cloud profile",
    { out: z.array(CloudProfileMachineType) },
  ),
  regions: op(
    "GET /cluster/cloudprofile/{cloudprofilename}/regions",
    "cluster_regions-get",
    "List the regions of a cloud profile",
    { out: z.array(CloudProfileRegion) },
  ),
  cloudProfiles: op("GET /cluster/cloudprofiles", "cluster_cloud_profiles-get", "List cloud profiles", {
    in: { cloudprofilename: text.optional() },
    out: z.array(CloudProfileObj),
  }),
};
